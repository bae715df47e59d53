package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.view.ListenerView;
import io.leveret.model.view.NodeFigures;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.runtime.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The health checks that monitoring asks for: 200 or 503, and a sentence. */
final class HealthResource {
    private static final Map<String, Double> DAYS =
            Map.of("days", 1.0, "weeks", 7.0, "months", 365 / 12.0, "years", 365.0);
    private static final DateTimeFormatter TIMES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final Resources resources;
    private final NodeClock clock;

    HealthResource(Resources resources, NodeClock clock) {
        this.resources = resources;
        this.clock = clock;
    }

    void addTo(Routes routes) {
        routes.add("GET", "healthchecks/node", request -> node(localName()))
                .add("GET", "healthchecks/node/{}", request -> node(request.part(0)))
                .add("GET", "health/checks/alarms", request -> alarms())
                .add("GET", "health/checks/local-alarms", request -> localAlarms())
                .add("GET", "health/checks/certificate-expiration/{}/{}", this::certificates)
                .add("GET", "health/checks/port-listener/{}", this::port)
                .add("GET", "health/checks/protocol-listener/{}", this::protocol)
                .add("GET", "health/checks/virtual-hosts", request -> ok())
                .add("GET", "health/checks/node-is-mirror-sync-critical", request -> mirrorSyncCritical())
                .add("GET", "health/checks/node-is-quorum-critical", request -> ok());
    }

    private String localName() {
        return resources.scope().store().localNode().value();
    }

    private static Answer ok() {
        return Answer.of(Map.of("status", "ok"));
    }

    private static Answer failed(Map<String, Object> body) {
        return new Answer(503, body, Map.of());
    }

    private Answer node(String name) {
        ClusterImage image = resources.cluster().image();
        NodeName node = new NodeName(name);
        if (image.node(node) == null) {
            throw ControlRefusal.notFound();
        }
        if (!image.isLive(node)) {
            return failed(Map.of("status", "failed", "reason", "node " + name + " is down"));
        }
        if (name.equals(localName())) {
            return localAlarms();
        }
        List<NodeReport> own = resources.cluster().reports(Set.of(Part.NODE), Selection.ALL).stream()
                .filter(report -> report.node().equals(name))
                .toList();
        return own.isEmpty()
                ? failed(Map.of("status", "failed", "reason", "node " + name + " does not answer"))
                : alarms(own, "on the node");
    }

    private Answer alarms() {
        return alarms(resources.cluster().reports(Set.of(Part.NODE), Selection.ALL), "in the cluster");
    }

    /** Those of this node, which need not ask the others. */
    private Answer localAlarms() {
        NodeReport own = Waiting.on(resources.cluster().local(Set.of(Part.NODE), Selection.ALL));
        return alarms(List.of(own), "on the node");
    }

    private static Answer alarms(List<NodeReport> reports, String where) {
        List<Map<String, String>> alarms =
                reports.stream().flatMap(HealthResource::alarms).toList();
        return alarms.isEmpty()
                ? ok()
                : failed(Map.of("status", "failed", "reason", "There are alarms in effect " + where, "alarms", alarms));
    }

    private static Stream<Map<String, String>> alarms(NodeReport report) {
        NodeFigures figures = report.figures();
        if (figures == null) {
            return Stream.of();
        }
        Stream<String> memory = Boolean.TRUE.equals(figures.isMemoryAlarm()) ? Stream.of("memory") : Stream.of();
        Stream<String> disk = Boolean.TRUE.equals(figures.isDiskAlarm()) ? Stream.of("disk space") : Stream.of();
        return Stream.concat(memory, disk).map(resource -> Map.of("node", report.node(), "resource", resource));
    }

    private Answer certificates(ControlRequest request) {
        Double days = DAYS.get(request.part(1));
        if (!request.part(0).matches("[0-9]{1,5}") || days == null) {
            throw ControlRefusal.badRequest("Invalid expiration value.");
        }
        double seconds =
                Integer.parseInt(request.part(0)) * days * Duration.ofDays(1).toSeconds();
        Instant by = Instant.ofEpochMilli(clock.currentTimeMillis()).plusSeconds((long) seconds);
        List<Map<String, Object>> expired = resources.scope().certificates().read().stream()
                .filter(each -> each.isExpiringBy(by))
                .map(this::expiring)
                .toList();
        return expired.isEmpty()
                ? ok()
                : failed(Map.of("status", "failed", "reason", "Certificates expiring", "expired", expired));
    }

    private Map<String, Object> expiring(ListenerCertificates listener) {
        return Map.of(
                "node",
                localName(),
                "protocol",
                "amqp/ssl",
                "interface",
                listener.address(),
                "port",
                listener.port(),
                "certfile",
                listener.file(),
                "certfile_expires_on",
                shown(listener.expire()),
                "cacertfile",
                listener.authoritiesFile(),
                "cacertfile_expires_on",
                shown(listener.authoritiesExpire()));
    }

    private static List<String> shown(List<Instant> times) {
        return times.stream().map(TIMES::format).toList();
    }

    private Answer port(ControlRequest request) {
        if (!request.part(0).matches("[0-9]{1,5}")) {
            throw ControlRefusal.badRequest("Invalid port");
        }
        int port = Integer.parseInt(request.part(0));
        List<Integer> ports =
                resources.scope().listeners().stream().map(ListenerView::port).toList();
        return ports.contains(port)
                ? Answer.of(Map.of("status", "ok", "port", port))
                : failed(Map.of("status", "failed", "reason", "No active listener", "missing", port, "ports", ports));
    }

    private Answer protocol(ControlRequest request) {
        String asked = request.part(0);
        String protocol = asked.startsWith("amqp0") || asked.equals("amqp091") ? "amqp" : asked;
        List<String> protocols = resources.scope().listeners().stream()
                .map(ListenerView::protocol)
                .toList();
        return protocols.contains(protocol)
                ? Answer.of(Map.of("status", "ok", "protocol", protocol))
                : failed(Map.of(
                        "status", "failed", "reason", "No active listener", "missing", asked, "protocols", protocols));
    }

    /** Whether stopping this node would leave a mirrored queue without a copy in sync. */
    private Answer mirrorSyncCritical() {
        ClusterImage image = resources.cluster().image();
        NodeName self = resources.scope().store().localNode();
        List<Map<String, String>> critical = image.placements().values().stream()
                .filter(placement ->
                        placement.isLedBy(self) && placement.replicas().size() > 1)
                .filter(placement ->
                        placement.inSync().stream().noneMatch(node -> !node.equals(self) && image.isLive(node)))
                .map(HealthResource::named)
                .toList();
        return critical.isEmpty()
                ? ok()
                : failed(Map.of(
                        "status",
                        "failed",
                        "reason",
                        "There are classic mirrored queues without online synchronised mirrors",
                        "queues",
                        critical));
    }

    private static Map<String, String> named(QueuePlacement placement) {
        return Map.of(
                "name",
                placement.queue().value(),
                "vhost",
                placement.queue().vhost().value());
    }
}
