package io.leveret.node.control;

import io.leveret.model.VhostName;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.OverviewView.QueueTotals;
import io.leveret.model.view.VhostLimitsView;
import io.leveret.model.view.VhostView;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.metrics.QueueReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Vhosts and their limits. */
final class VhostResource {
    private static final String LIMITS_COMPONENT = "vhost-limits";
    private static final String LIMITS_NAME = "limits";
    private static final Set<String> LIMITS = Set.of("max-connections", "max-queues");
    private static final String EVERYTHING = ".*";

    private final Resources resources;

    VhostResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "vhosts", this::all)
                .add("GET", "vhosts/{}", this::one)
                .add("PUT", "vhosts/{}", this::put)
                .add("DELETE", "vhosts/{}", this::delete)
                .add("GET", "vhost-limits", this::allLimits)
                .add("GET", "vhost-limits/{}", this::limitsOfVhost)
                .add("PUT", "vhost-limits/{}/{}", this::putLimit)
                .add("DELETE", "vhost-limits/{}/{}", this::deleteLimit);
    }

    private List<NodeReport> reports(ControlRequest request, ClusterView cluster, Selection selection) {
        return request.flag("disable_stats")
                ? List.of()
                : cluster.reports(Set.of(Part.QUEUES, Part.CONNECTIONS, Part.CHANNELS), selection);
    }

    private Answer all(ControlRequest request) {
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        List<NodeReport> reports = reports(request, cluster, Selection.ALL);
        return Answer.of(image.definitions().vhosts().values().stream()
                .map(vhost -> view(vhost, image, reports))
                .toList());
    }

    private Answer one(ControlRequest request) {
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        VhostDefinition vhost = image.definitions().vhost(request.vhost(0));
        if (vhost == null) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(view(vhost, image, reports(request, cluster, new Selection(vhost.name(), null))));
    }

    private static VhostView view(VhostDefinition vhost, ClusterImage image, List<NodeReport> nodes) {
        List<QueueReport> queues = new ArrayList<>();
        nodes.forEach(node -> {
            if (node.queues() != null) {
                node.queues().stream()
                        .filter(report -> report.vhost().equals(vhost.name().value()))
                        .forEach(queues::add);
            }
        });
        Map<String, String> state = new LinkedHashMap<>();
        image.nodes().values().forEach(node -> {
            if (node.isLive()) {
                state.put(node.name().value(), "running");
            }
        });
        QueueTotals totals = queues.isEmpty() ? null : Totals.totals(queues);
        MessageStats stats = stats(vhost, nodes, queues);
        List<ConnectionView> connections = OverviewResource.all(nodes, NodeReport::connections).stream()
                .filter(connection -> connection.vhost().equals(vhost.name().value()))
                .toList();
        boolean isUnused = totals == null && connections.isEmpty();
        return new VhostView(
                vhost.name().value(),
                vhost.description(),
                vhost.tags(),
                "undefined",
                new VhostView.Metadata(vhost.description(), vhost.tags()),
                false,
                state,
                totals == null ? null : totals.messages(),
                totals == null ? null : totals.messagesRate(),
                totals == null ? null : totals.ready(),
                totals == null ? null : totals.readyRate(),
                totals == null ? null : totals.unacked(),
                totals == null ? null : totals.unackedRate(),
                isUnused ? null : Totals.sum(connections, ConnectionView::bytesReceived),
                isUnused ? null : Totals.rate(connections, ConnectionView::bytesReceivedRate),
                isUnused ? null : Totals.sum(connections, ConnectionView::bytesSent),
                isUnused ? null : Totals.rate(connections, ConnectionView::bytesSentRate),
                stats.counts().isEmpty() ? null : stats);
    }

    private static MessageStats stats(VhostDefinition vhost, List<NodeReport> nodes, List<QueueReport> queues) {
        List<MessageStats> ofChannels = new ArrayList<>();
        OverviewResource.all(nodes, NodeReport::channels).forEach(channel -> {
            if (channel.vhost().equals(vhost.name().value()) && channel.messageStats() != null) {
                ofChannels.add(channel.messageStats());
            }
        });
        return Totals.both(queues, ofChannels);
    }

    private Answer put(ControlRequest request) {
        VhostName name = vhostToMake(request.part(0));
        JsonNode body = request.json();
        VhostDefinition current = resources.cluster().image().definitions().vhost(name);
        String description = body.has("description")
                ? body.path("description").asString("")
                : current == null ? "" : current.description();
        List<String> tags = body.has("tags") ? tags(body.path("tags")) : current == null ? List.of() : current.tags();
        Answer answer = resources.put(new DefinitionChange.PutVhost(new VhostDefinition(name, description, tags)));
        if (answer.status() == 201 && request.user() != null) {
            // Who creates a vhost may use it.
            resources.change(new DefinitionChange.PutPermission(
                    new PermissionDefinition(request.user(), name, EVERYTHING, EVERYTHING, EVERYTHING)));
        }
        return answer;
    }

    private static VhostName vhostToMake(String name) {
        try {
            return new VhostName(name);
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** A list, or words between commas. */
    static List<String> tags(JsonNode tags) {
        if (tags.isArray()) {
            return tags.values().stream().map(tag -> tag.asString("")).toList();
        }
        return Arrays.stream(tags.asString("").split(","))
                .map(String::strip)
                .filter(tag -> !tag.isEmpty())
                .toList();
    }

    private Answer delete(ControlRequest request) {
        return resources.put(new DefinitionChange.DeleteVhost(request.vhost(0)));
    }

    /** The limits of a vhost, by name. */
    static Map<String, Integer> limits(DefinitionsImage image, VhostName vhost) {
        ParameterDefinition parameter = image.parameter(vhost, LIMITS_COMPONENT, LIMITS_NAME);
        Map<String, Integer> limits = new TreeMap<>();
        if (parameter != null && parameter.value() instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value instanceof Number number) {
                    limits.put(String.valueOf(key), number.intValue());
                }
            });
        }
        return limits;
    }

    private static void add(List<VhostLimitsView> list, DefinitionsImage image, VhostName vhost) {
        Map<String, Integer> limits = limits(image, vhost);
        if (!limits.isEmpty()) {
            list.add(new VhostLimitsView(vhost.value(), limits));
        }
    }

    private Answer allLimits(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        List<VhostLimitsView> list = new ArrayList<>();
        image.vhosts().keySet().forEach(vhost -> add(list, image, vhost));
        return Answer.of(list);
    }

    private Answer limitsOfVhost(ControlRequest request) {
        DefinitionsImage image = resources.imageWith(request.vhost(0)).definitions();
        List<VhostLimitsView> list = new ArrayList<>();
        add(list, image, request.vhost(0));
        return Answer.of(list);
    }

    private Answer putLimit(ControlRequest request) {
        JsonNode value = request.required("value");
        String limit = request.part(1);
        if (!LIMITS.contains(limit)) {
            throw ControlRefusal.badRequest(
                    "Validation failed\n\nUnrecognised terms [{<<\"" + limit + "\">>," + value + "}] in limits\n");
        }
        if (!value.isIntegralNumber()) {
            String shown = value.isString() ? "<<" + value + ">>" : value.toString();
            throw ControlRefusal.badRequest(
                    "Validation failed\n\n" + limit + " should be a number, actually was " + shown + "\n");
        }
        Map<String, Object> limits = limitsToChange(request.vhost(0));
        limits.put(limit, value.longValue());
        return store(request.vhost(0), limits);
    }

    private Answer deleteLimit(ControlRequest request) {
        Map<String, Object> limits = limitsToChange(request.vhost(0));
        return limits.remove(request.part(1)) == null ? Answer.done() : store(request.vhost(0), limits);
    }

    private Map<String, Object> limitsToChange(VhostName vhost) {
        DefinitionsImage image = resources.cluster().image().definitions();
        if (image.vhost(vhost) == null) {
            throw ControlRefusal.noVhost();
        }
        Map<String, Object> limits = new TreeMap<>();
        limits(image, vhost).forEach((key, value) -> limits.put(key, value.longValue()));
        return limits;
    }

    private Answer store(VhostName vhost, Map<String, Object> limits) {
        resources.change(
                limits.isEmpty()
                        ? new DefinitionChange.DeleteParameter(vhost, LIMITS_COMPONENT, LIMITS_NAME)
                        : new DefinitionChange.PutParameter(
                                new ParameterDefinition(vhost, LIMITS_COMPONENT, LIMITS_NAME, Map.copyOf(limits))));
        return Answer.done();
    }
}
