package io.leveret.node.control;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Export and import of all that is declared. An import adds and replaces, and takes nothing away. It goes kind by kind, since a
 * binding needs its queue; within a kind many changes are under way at a time.
 */
final class DefinitionsResource {
    private static final int UNDER_WAY_MAX = 128;

    private final Resources resources;
    private final UserResource users;

    DefinitionsResource(Resources resources, UserResource users) {
        this.resources = resources;
        this.users = users;
    }

    void addTo(Routes routes) {
        routes.add(
                        "GET",
                        "definitions",
                        request -> Answer.of(DefinitionsExport.all(
                                resources.cluster().image().definitions(),
                                resources.scope().version())))
                .add("GET", "definitions/{}", this::exportVhost)
                .add("POST", "definitions", request -> importAll(request, null))
                .add("POST", "definitions/{}", this::importVhost);
    }

    private Answer exportVhost(ControlRequest request) {
        var image = resources.cluster().image().definitions();
        if (image.vhost(request.vhost(0)) == null) {
            throw ControlRefusal.badRequest("vhost_not_found");
        }
        return Answer.of(DefinitionsExport.of(image, request.vhost(0)));
    }

    private Answer importVhost(ControlRequest request) {
        if (resources.cluster().image().definitions().vhost(request.vhost(0)) == null) {
            throw ControlRefusal.noVhost();
        }
        return importAll(request, request.vhost(0));
    }

    /** @param only the vhost that everything is for; null when each object names its own */
    private Answer importAll(ControlRequest request, @Nullable VhostName only) {
        JsonNode file = Json.parse(request.body());
        if (!file.isObject()) {
            throw ControlRefusal.badRequest("failed_to_parse_json");
        }
        resources.writable();
        if (only == null) {
            apply(
                    file,
                    "users",
                    each -> new DefinitionChange.PutUser(
                            users.definition(UserResource.name(text(each, "name")), each)));
            apply(
                    file,
                    "vhosts",
                    each -> new DefinitionChange.PutVhost(new VhostDefinition(
                            new VhostName(text(each, "name")),
                            each.path("description").asString(""),
                            VhostResource.tags(each.path("tags")))));
            apply(
                    file,
                    "permissions",
                    each -> new DefinitionChange.PutPermission(new PermissionDefinition(
                            UserResource.name(text(each, "user")),
                            vhost(each, null),
                            text(each, "configure"),
                            text(each, "write"),
                            text(each, "read"))));
            apply(
                    file,
                    "topic_permissions",
                    each -> new DefinitionChange.PutTopicPermission(new TopicPermissionDefinition(
                            UserResource.name(text(each, "user")),
                            vhost(each, null),
                            text(each, "exchange"),
                            text(each, "write"),
                            text(each, "read"))));
            apply(
                    file,
                    "global_parameters",
                    each -> new DefinitionChange.PutGlobalParameter(
                            text(each, "name"), Objects.requireNonNullElse(Json.value(each.path("value")), "")));
        }
        importOfVhosts(file, only);
        return Answer.done();
    }

    private void importOfVhosts(JsonNode file, @Nullable VhostName only) {
        apply(file, "parameters", each -> parameter(each, only));
        apply(
                file,
                "policies",
                each -> new DefinitionChange.PutPolicy(
                        PolicyResource.definition(vhost(each, only), text(each, "name"), each, false)));
        apply(file, "queues", each -> queue(each, vhost(each, only)));
        apply(file, "exchanges", each -> exchange(each, vhost(each, only)));
        apply(file, "bindings", each -> new DefinitionChange.Bind(binding(each, vhost(each, only))));
    }

    private static DefinitionChange parameter(JsonNode each, @Nullable VhostName only) {
        VhostName vhost = vhost(each, only);
        String component = text(each, "component");
        if (component.equals("operator_policy")) {
            return new DefinitionChange.PutOperatorPolicy(
                    PolicyResource.definition(vhost, text(each, "name"), each.path("value"), true));
        }
        return new DefinitionChange.PutParameter(
                ParameterResource.definition(vhost, component, text(each, "name"), each.path("value")));
    }

    private static @Nullable DefinitionChange queue(JsonNode each, VhostName vhost) {
        return new DefinitionChange.DeclareQueue(
                new QueueDefinition(
                        new QueueName(vhost, text(each, "name")),
                        QueueResource.flag(each, "durable"),
                        false,
                        QueueResource.flag(each, "auto_delete"),
                        Json.object(each.path("arguments"))),
                null);
    }

    private static @Nullable DefinitionChange exchange(JsonNode each, VhostName vhost) {
        String name = text(each, "name");
        // Files of other brokers list what every vhost has anyway.
        return name.isEmpty() || name.startsWith("amq.")
                ? null
                : new DefinitionChange.DeclareExchange(new ExchangeDefinition(
                        new ExchangeName(vhost, name),
                        each.path("type").asString("direct"),
                        QueueResource.flag(each, "durable"),
                        QueueResource.flag(each, "auto_delete"),
                        QueueResource.flag(each, "internal"),
                        Json.object(each.path("arguments"))));
    }

    private static BindingDefinition binding(JsonNode each, VhostName vhost) {
        Kind kind = text(each, "destination_type").equals("exchange") ? Kind.EXCHANGE : Kind.QUEUE;
        return new BindingDefinition(
                new ExchangeName(vhost, text(each, "source")),
                new Destination(kind, text(each, "destination")),
                each.path("routing_key").asString(""),
                Json.object(each.path("arguments")));
    }

    private static String text(JsonNode object, String member) {
        JsonNode value = object.path(member);
        if (!value.isString()) {
            throw ControlRefusal.badRequest("[{key_missing," + member + "}]");
        }
        return value.stringValue();
    }

    private static VhostName vhost(JsonNode object, @Nullable VhostName only) {
        return only != null ? only : new VhostName(text(object, "vhost"));
    }

    /** Makes the changes of one kind, told with the object when one is refused. */
    private void apply(JsonNode file, String kind, Function<JsonNode, @Nullable DefinitionChange> change) {
        List<Pending> underWay = new ArrayList<>();
        for (JsonNode each : file.path(kind)) {
            try {
                DefinitionChange made = change.apply(each);
                if (made != null) {
                    checkVhost(each, made);
                    underWay.add(new Pending(each, resources.scope().store().submit(made)));
                }
            } catch (IllegalArgumentException e) {
                throw ControlRefusal.badRequest(String.valueOf(e.getMessage()));
            } catch (ControlRefusal e) {
                throw named(e, each);
            }
            if (underWay.size() >= UNDER_WAY_MAX) {
                finish(underWay);
            }
        }
        finish(underWay);
    }

    private void checkVhost(JsonNode object, DefinitionChange change) {
        String vhost = object.path("vhost").asString("");
        boolean isNeeded = !vhost.isEmpty()
                && !(change instanceof DefinitionChange.PutVhost)
                && resources.scope().store().image().vhost(new VhostName(vhost)) == null;
        if (isNeeded) {
            throw ControlRefusal.badRequest("vhost '" + vhost + "' does not exist");
        }
    }

    private static void finish(List<Pending> underWay) {
        for (Pending each : underWay) {
            try {
                Waiting.agreed(each.outcome);
            } catch (ControlRefusal e) {
                throw named(e, each.object);
            }
        }
        underWay.clear();
    }

    private static ControlRefusal named(ControlRefusal refusal, JsonNode object) {
        boolean isValidation = refusal.reason().startsWith("Validation failed");
        if (!isValidation) {
            return refusal;
        }
        return ControlRefusal.badRequest(refusal.reason() + " ("
                + object.path("vhost").asString("") + "/" + object.path("name").asString("") + ")");
    }

    /** A change that was asked for. */
    private record Pending(JsonNode object, CompletionStage<Outcome> outcome) {}
}
