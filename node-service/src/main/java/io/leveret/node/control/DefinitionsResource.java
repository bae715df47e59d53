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
import io.leveret.node.broker.vhost.ImportedDefinitions;
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
        // All of the file is read before anything is changed: a fault in it changes nothing.
        List<List<Wanted>> kinds = new ArrayList<>();
        if (only == null) {
            kinds.add(read(
                    file,
                    "users",
                    each -> new DefinitionChange.PutUser(
                            users.definition(UserResource.name(text(each, "name")), each))));
            kinds.add(limits(file));
            kinds.add(read(
                    file,
                    "vhosts",
                    each -> new DefinitionChange.PutVhost(new VhostDefinition(
                            new VhostName(text(each, "name")),
                            each.path("description").asString(""),
                            VhostResource.tags(each.path("tags"))))));
            kinds.add(read(
                    file,
                    "permissions",
                    each -> new DefinitionChange.PutPermission(new PermissionDefinition(
                            UserResource.name(text(each, "user")),
                            vhost(each, null),
                            text(each, "configure"),
                            text(each, "write"),
                            text(each, "read")))));
            kinds.add(read(
                    file,
                    "topic_permissions",
                    each -> new DefinitionChange.PutTopicPermission(new TopicPermissionDefinition(
                            UserResource.name(text(each, "user")),
                            vhost(each, null),
                            text(each, "exchange"),
                            text(each, "write"),
                            text(each, "read")))));
            kinds.add(read(
                    file,
                    "global_parameters",
                    each -> new DefinitionChange.PutGlobalParameter(
                            text(each, "name"), Objects.requireNonNullElse(Json.value(each.path("value")), ""))));
        }
        kinds.add(read(file, "parameters", each -> parameter(each, only)));
        kinds.add(read(
                file,
                "policies",
                each -> new DefinitionChange.PutPolicy(
                        PolicyResource.definition(vhost(each, only), text(each, "name"), each, false))));
        kinds.add(read(file, "queues", each -> queue(each, vhost(each, only))));
        kinds.add(read(file, "exchanges", each -> exchange(each, vhost(each, only))));
        kinds.add(read(file, "bindings", each -> new DefinitionChange.Bind(binding(each, vhost(each, only)))));
        kinds.forEach(this::apply);
        return Answer.done();
    }

    private static List<Wanted> limits(JsonNode file) {
        List<Wanted> limits = new ArrayList<>();
        for (JsonNode user : file.path("users")) {
            user.path("limits").properties().forEach(limit -> {
                if (!limit.getValue().isIntegralNumber()) {
                    throw ControlRefusal.badRequest("the limit " + limit.getKey() + " of user '" + text(user, "name")
                            + "' should be a number, actually was " + limit.getValue());
                }
                limits.add(new Wanted(
                        user,
                        new DefinitionChange.SetUserLimit(
                                UserResource.name(text(user, "name")),
                                limit.getKey(),
                                limit.getValue().longValue())));
            });
        }
        return limits;
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
        QueueDefinition queue = new QueueDefinition(
                new QueueName(vhost, text(each, "name")),
                QueueResource.flag(each, "durable"),
                false,
                QueueResource.flag(each, "auto_delete"),
                Json.object(each.path("arguments")));
        ImportedDefinitions.fault(queue).ifPresent(fault -> {
            throw ControlRefusal.badRequest(fault);
        });
        return new DefinitionChange.DeclareQueue(queue, null);
    }

    private static @Nullable DefinitionChange exchange(JsonNode each, VhostName vhost) {
        String name = text(each, "name");
        if (name.isEmpty() || name.startsWith("amq.")) {
            return null; // files of other brokers list what every vhost has anyway
        }
        ExchangeDefinition exchange = new ExchangeDefinition(
                new ExchangeName(vhost, name),
                each.path("type").asString("direct"),
                QueueResource.flag(each, "durable"),
                QueueResource.flag(each, "auto_delete"),
                QueueResource.flag(each, "internal"),
                Json.object(each.path("arguments")));
        ImportedDefinitions.fault(exchange).ifPresent(fault -> {
            throw ControlRefusal.badRequest(fault);
        });
        return new DefinitionChange.DeclareExchange(exchange);
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
            throw ControlRefusal.badRequest("the " + member + " of an object in vhost '"
                    + object.path("vhost").asString("") + "' is undefined");
        }
        return value.stringValue();
    }

    private static VhostName vhost(JsonNode object, @Nullable VhostName only) {
        return only != null ? only : new VhostName(text(object, "vhost"));
    }

    /** The changes of one kind, in order. */
    private List<Wanted> read(JsonNode file, String kind, Function<JsonNode, @Nullable DefinitionChange> change) {
        List<Wanted> wanted = new ArrayList<>();
        for (JsonNode each : file.path(kind)) {
            try {
                checkVhost(file, each);
                DefinitionChange made = change.apply(each);
                if (made != null) {
                    wanted.add(new Wanted(each, made));
                }
            } catch (IllegalArgumentException e) {
                throw ControlRefusal.badRequest(String.valueOf(e.getMessage()));
            } catch (ControlRefusal e) {
                throw named(e, each);
            }
        }
        return wanted;
    }

    /** An object's vhost is there, or comes with the file. */
    private void checkVhost(JsonNode file, JsonNode object) {
        String vhost = object.path("vhost").asString("");
        if (vhost.isEmpty() || resources.scope().store().image().vhost(new VhostName(vhost)) != null) {
            return;
        }
        boolean isInFile = file.path("vhosts").values().stream()
                .anyMatch(each -> each.path("name").asString("").equals(vhost));
        if (!isInFile) {
            throw ControlRefusal.badRequest("vhost '" + vhost + "' does not exist");
        }
    }

    /** Makes the changes of one kind, told with the object when one is refused. */
    private void apply(List<Wanted> kind) {
        for (int from = 0; from < kind.size(); from += UNDER_WAY_MAX) {
            List<Wanted> some = kind.subList(from, Math.min(kind.size(), from + UNDER_WAY_MAX));
            List<CompletionStage<Outcome>> outcomes = some.stream()
                    .map(each -> resources.scope().store().submit(each.change))
                    .toList();
            for (int i = 0; i < some.size(); i++) {
                finish(some.get(i), outcomes.get(i));
            }
        }
    }

    private static void finish(Wanted wanted, CompletionStage<Outcome> stage) {
        Outcome outcome = Waiting.on(stage);
        boolean isDeclaration = wanted.change instanceof DefinitionChange.DeclareQueue
                || wanted.change instanceof DefinitionChange.DeclareExchange;
        // What is there with other properties stays as it is: a file is no reason to delete messages.
        boolean isThere = outcome.isRefused()
                && isDeclaration
                && outcome.requireRefusal().kind() == Outcome.RefusalKind.PRECONDITION_FAILED;
        if (!isThere) {
            try {
                Waiting.checked(outcome);
            } catch (ControlRefusal e) {
                throw named(e, wanted.object);
            }
        }
    }

    private static ControlRefusal named(ControlRefusal refusal, JsonNode object) {
        boolean isValidation = refusal.reason().startsWith("Validation failed");
        if (!isValidation) {
            return refusal;
        }
        return ControlRefusal.badRequest(refusal.reason() + " ("
                + object.path("vhost").asString("") + "/" + object.path("name").asString("") + ")");
    }

    /** A change, and the object that asks for it. */
    private record Wanted(JsonNode object, DefinitionChange change) {}
}
