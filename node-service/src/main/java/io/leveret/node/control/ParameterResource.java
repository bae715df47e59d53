package io.leveret.node.control;

import io.leveret.model.VhostName;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.view.GlobalParameterView;
import io.leveret.model.view.NamedView;
import io.leveret.model.view.ParameterView;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Parameters of vhosts and of the cluster, and the cluster's name. */
final class ParameterResource {
    private static final Set<String> COMPONENTS =
            Set.of("shovel", "federation-upstream", "federation-upstream-set", "vhost-limits");
    private static final String DEFAULT_CLUSTER_NAME = "leveret";

    private final Resources resources;

    ParameterResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "parameters", request -> Answer.of(all(image(), each -> true)))
                .add("GET", "parameters/{}", this::ofComponent)
                .add("GET", "parameters/{}/{}", this::ofVhost)
                .add("GET", "parameters/{}/{}/{}", this::one)
                .add("PUT", "parameters/{}/{}/{}", this::put)
                .add("DELETE", "parameters/{}/{}/{}", this::delete)
                .add("GET", "global-parameters", request -> Answer.of(globals(image())))
                .add("GET", "global-parameters/{}", this::global)
                .add("PUT", "global-parameters/{}", this::putGlobal)
                .add("DELETE", "global-parameters/{}", this::deleteGlobal)
                .add("GET", "cluster-name", request -> Answer.of(new NamedView(clusterName(image()))))
                .add("PUT", "cluster-name", this::putClusterName);
    }

    private DefinitionsImage image() {
        return resources.cluster().image().definitions();
    }

    static String clusterName(DefinitionsImage image) {
        return String.valueOf(
                image.globalParameters().getOrDefault(DefinitionsImage.CLUSTER_NAME, DEFAULT_CLUSTER_NAME));
    }

    static List<ParameterView> all(DefinitionsImage image, Predicate<ParameterDefinition> which) {
        return image.vhosts().keySet().stream()
                .flatMap(vhost -> image.parameters(vhost).stream())
                .filter(which)
                .map(each -> new ParameterView(each.value(), each.vhost().value(), each.component(), each.name()))
                .toList();
    }

    static List<GlobalParameterView> globals(DefinitionsImage image) {
        return image.globalParameters().entrySet().stream()
                .map(entry -> new GlobalParameterView(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Answer ofComponent(ControlRequest request) {
        return Answer.of(all(image(), each -> each.component().equals(request.part(0))));
    }

    private Answer ofVhost(ControlRequest request) {
        VhostName vhost = request.vhost(1);
        DefinitionsImage image = resources.imageWith(vhost).definitions();
        return Answer.of(all(
                image,
                each -> each.component().equals(request.part(0)) && each.vhost().equals(vhost)));
    }

    private Answer one(ControlRequest request) {
        ParameterDefinition found = image().parameter(request.vhost(1), request.part(0), request.part(2));
        if (found == null) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(new ParameterView(found.value(), found.vhost().value(), found.component(), found.name()));
    }

    private Answer put(ControlRequest request) {
        JsonNode value = request.required("value");
        VhostName vhost = request.vhost(1);
        if (image().vhost(vhost) == null) {
            throw ControlRefusal.noVhost();
        }
        return resources.put(
                new DefinitionChange.PutParameter(definition(vhost, request.part(0), request.part(2), value)));
    }

    /** A parameter of a known component; refused otherwise. */
    static ParameterDefinition definition(VhostName vhost, String component, String name, JsonNode value) {
        if (!COMPONENTS.contains(component)) {
            throw ControlRefusal.badRequest("Validation failed\n\ncomponent " + component + " not found\n");
        }
        Object given = Json.value(value);
        if (given == null) {
            throw ControlRefusal.badRequest("Validation failed\n\nthe value must not be null\n");
        }
        return new ParameterDefinition(vhost, component, name, given);
    }

    private Answer delete(ControlRequest request) {
        return resources.put(new DefinitionChange.DeleteParameter(request.vhost(1), request.part(0), request.part(2)));
    }

    private Answer global(ControlRequest request) {
        Object value = image().globalParameters().get(request.part(0));
        if (value == null) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(new GlobalParameterView(request.part(0), value));
    }

    private Answer putGlobal(ControlRequest request) {
        Object value = Json.value(request.required("value"));
        return resources.put(
                new DefinitionChange.PutGlobalParameter(request.part(0), Objects.requireNonNullElse(value, "")));
    }

    private Answer deleteGlobal(ControlRequest request) {
        return resources.put(new DefinitionChange.DeleteGlobalParameter(request.part(0)));
    }

    private Answer putClusterName(ControlRequest request) {
        String name = request.required("name").asString("");
        resources.change(new DefinitionChange.PutGlobalParameter(DefinitionsImage.CLUSTER_NAME, name));
        return Answer.done();
    }
}
