package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.control.QueueAction;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.QueueView;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.vhost.QueueDeclaration;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.control.LocalReplicas.MirrorProgress;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeReport.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Queues: lists, declaring, deleting, purging, synchronising. */
final class QueueResource {
    private static final String NOBODY = "";

    private final Resources resources;

    QueueResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "queues", this::all)
                .add("GET", "queues/{}", this::ofVhost)
                .add("GET", "queues/{}/{}", this::one)
                .add("PUT", "queues/{}/{}", this::declare)
                .add("DELETE", "queues/{}/{}", this::delete)
                .add("DELETE", "queues/{}/{}/contents", this::purge)
                .add("POST", "queues/{}/{}/actions", this::act)
                .add("GET", "node/mirrors", this::mirrorsBehind)
                .add("GET", "node/mirrors/{}/{}", this::localMirrors);
    }

    static QueueName name(ControlRequest request) {
        try {
            return new QueueName(request.vhost(0), request.part(1));
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest("queue should be less than 255 bytes, actually was "
                    + request.part(1).length() + "\n");
        }
    }

    private Answer all(ControlRequest request) {
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        List<QueueDefinition> queues = new ArrayList<>();
        image.definitions()
                .vhosts()
                .keySet()
                .forEach(
                        vhost -> queues.addAll(image.definitions().queues(vhost).values()));
        return list(request, cluster, image, queues, Selection.ALL);
    }

    private Answer ofVhost(ControlRequest request) {
        VhostName vhost = request.vhost(0);
        ClusterImage image = resources.imageWith(vhost);
        return list(
                request,
                resources.cluster(),
                image,
                image.definitions().queues(vhost).values(),
                new Selection(vhost, null));
    }

    private static Answer list(
            ControlRequest request,
            ClusterView cluster,
            ClusterImage image,
            Iterable<QueueDefinition> queues,
            Selection selection) {
        List<NodeReport> reports =
                request.flag("disable_stats") ? List.of() : cluster.reports(Set.of(Part.QUEUES), selection);
        QueueViews views = new QueueViews(image, reports);
        Map<QueueName, Map<NodeName, MirrorProgress>> progress =
                request.flag("disable_stats") ? Map.of() : SyncProgress.of(cluster, image, selection);
        List<QueueView> list = new ArrayList<>();
        queues.forEach(queue -> list.add(views.view(queue, progress.getOrDefault(queue.name(), Map.of()))));
        return Answer.of(list);
    }

    private Answer one(ControlRequest request) {
        QueueName name = name(request);
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        QueueDefinition queue = image.definitions().queue(name);
        if (queue == null) {
            throw ControlRefusal.notFound();
        }
        boolean isPlain = request.flag("disable_stats");
        List<NodeReport> reports =
                isPlain ? List.of() : cluster.reports(Set.of(Part.QUEUES, Part.CHANNELS), new Selection(null, name));
        QueueViews views = new QueueViews(image, reports);
        List<ConsumerView> consumers = new ArrayList<>();
        Consumers.of(reports, views).stream()
                .filter(consumer -> consumer.queue().name().equals(name.value())
                        && consumer.queue().vhost().equals(name.vhost().value()))
                .forEach(consumers::add);
        Map<NodeName, MirrorProgress> progress = isPlain ? Map.of() : progress(cluster, image, name);
        return Answer.of(views.view(queue, progress, isPlain ? null : consumers));
    }

    private Map<NodeName, MirrorProgress> progress(ClusterView cluster, ClusterImage image, QueueName name) {
        QueuePlacement placement = image.placement(name);
        NodeName leader = placement == null ? null : placement.leader();
        if (placement == null || leader == null || placement.replicas().size() < 2 || !image.isLive(leader)) {
            return Map.of();
        }
        if (leader.equals(cluster.scope().store().localNode())) {
            return Waiting.on(cluster.scope().replicas().mirrors(name));
        }
        Map<NodeName, MirrorProgress> found = new HashMap<>();
        JsonNode told = cluster.glance(
                leader, PeerControl.path("node", "mirrors", name.vhost().value(), name.value()));
        if (told != null) {
            told.properties()
                    .forEach(entry -> found.put(
                            new NodeName(entry.getKey()), Json.convert(entry.getValue(), MirrorProgress.class)));
        }
        return found;
    }

    private Answer mirrorsBehind(ControlRequest request) {
        String vhost = request.query().get("vhost");
        ClusterView cluster = resources.cluster();
        Selection selection = vhost == null ? Selection.ALL : new Selection(new VhostName(vhost), null);
        return Answer.of(SyncProgress.local(cluster, cluster.scope().store().cluster(), selection));
    }

    private Answer localMirrors(ControlRequest request) {
        Map<String, MirrorProgress> byName = new HashMap<>();
        Waiting.on(resources.scope().replicas().mirrors(name(request)))
                .forEach((node, progress) -> byName.put(node.value(), progress));
        return Answer.of(byName);
    }

    private Answer declare(ControlRequest request) {
        QueueName name = name(request);
        JsonNode body = request.json();
        Answer elsewhere = forwardedDeclare(request, name, body.path("node").asString(""));
        if (elsewhere != null) {
            return elsewhere;
        }
        Map<String, Object> arguments = Json.object(body.path("arguments"));
        var vhost = resources.vhost(name.vhost());
        new Access(resources.scope().permissions(), request).check(Permission.CONFIGURE, name);
        boolean isThere = resources.scope().store().image().queue(name) != null;
        Waiting.on(vhost.declareQueue(
                new QueueDeclaration(
                        name.value(), false, flag(body, "durable"), false, flag(body, "auto_delete"), arguments),
                NOBODY));
        return Answer.createdOrDone(!isThere);
    }

    /** A queue is placed on the node that declares it, unless a policy or argument says otherwise. */
    private @Nullable Answer forwardedDeclare(ControlRequest request, QueueName name, String node) {
        ClusterView cluster = resources.cluster();
        if (node.isEmpty() || node.equals(cluster.scope().store().localNode().value())) {
            return null;
        }
        if (!cluster.image().isLive(new NodeName(node))) {
            throw ControlRefusal.badRequest("Node " + node + " could not be contacted");
        }
        new Access(resources.scope().permissions(), request).check(Permission.CONFIGURE, name);
        return cluster.forward(
                new NodeName(node),
                "PUT",
                PeerControl.path("queues", name.vhost().value(), name.value()),
                request.body());
    }

    static boolean flag(JsonNode body, String member) {
        JsonNode value = body.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        String word = value.asString("");
        if (!value.isBoolean() && !word.equals("true") && !word.equals("false")) {
            throw ControlRefusal.badRequest(List.of("not_boolean", value.asString(value.toString())));
        }
        return value.isBoolean() ? value.booleanValue() : word.equals("true");
    }

    private void checkThere(QueueName name) {
        DefinitionsImage image = resources.scope().store().image();
        if (image.queue(name) == null
                && resources.cluster().image().definitions().queue(name) == null) {
            throw ControlRefusal.notFound();
        }
    }

    private Answer delete(ControlRequest request) {
        QueueName name = name(request);
        checkThere(name);
        new Access(resources.scope().permissions(), request).check(Permission.CONFIGURE, name);
        boolean isOperator = request.user() == null;
        if (isOperator && !request.flag("if-unused") && !request.flag("if-empty")) {
            // The operator may delete the exclusive queue of a connection.
            return resources.put(new DefinitionChange.DeleteQueue(name));
        }
        Waiting.on(resources
                .vhost(name.vhost())
                .deleteQueue(name.value(), request.flag("if-unused"), request.flag("if-empty"), NOBODY));
        return Answer.done();
    }

    private Answer purge(ControlRequest request) {
        QueueName name = name(request);
        new Access(resources.scope().permissions(), request).check(Permission.READ, name);
        checkThere(name);
        if (request.user() == null) {
            var handle = resources.scope().queues().find(name);
            if (handle == null) {
                throw ControlRefusal.notFound();
            }
            Waiting.on(handle.purge());
        } else {
            Waiting.on(resources.vhost(name.vhost()).purge(name.value(), NOBODY));
        }
        return Answer.done();
    }

    private Answer act(ControlRequest request) {
        QueueName name = name(request);
        String action = request.required("action").asString("");
        if (!action.equals(QueueAction.SYNC) && !action.equals(QueueAction.CANCEL_SYNC)) {
            throw ControlRefusal.badRequest(List.of("unknown", action));
        }
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        QueuePlacement placement = image.placement(name);
        if (placement == null) {
            throw ControlRefusal.notFound();
        }
        NodeName leader = placement.leader();
        if (leader == null || !image.isLive(leader)) {
            throw ControlRefusal.badRequest("the queue has no leader");
        }
        if (!leader.equals(cluster.scope().store().localNode())) {
            return cluster.forward(
                    leader,
                    "POST",
                    PeerControl.path("queues", name.vhost().value(), name.value(), "actions"),
                    request.body());
        }
        Waiting.on(
                action.equals(QueueAction.SYNC)
                        ? cluster.scope().replicas().synchronise(name)
                        : cluster.scope().replicas().cancelSynchronising(name));
        return Answer.done();
    }
}
