package io.leveret.node.control;

import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.node.control.ClusterView.Selection;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What concerns this node alone: its process, and what it reports to the other nodes. */
final class NodeResource {
    private final Resources resources;

    NodeResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "node", this::broker)
                .add("GET", "node/process", request -> Answer.of(state()))
                .add("POST", "node/process/start_app", this::start)
                .add("POST", "node/process/stop_app", this::stop)
                .add("POST", "node/process/force_boot", this::forceBoot)
                .add(
                        "GET",
                        "node/listeners",
                        request -> Answer.of(resources.scope().listeners()))
                .add("GET", "node/report", this::report)
                .add("PUT", "node/memory-limit", this::limitMemory)
                .add("PUT", "node/disk-limit", this::limitDisk);
    }

    private Map<String, String> state() {
        return Map.of("state", resources.node().state());
    }

    /** Refused as unavailable while the broker is stopped. */
    private Answer broker(ControlRequest request) {
        resources.scope();
        return Answer.of(state());
    }

    private Answer start(ControlRequest request) {
        return acted(resources.node()::startBroker);
    }

    private Answer stop(ControlRequest request) {
        return acted(resources.node()::stopBroker);
    }

    private Answer forceBoot(ControlRequest request) {
        return acted(resources.node()::forceBoot);
    }

    /** A node that cannot do it now says why. */
    private static Answer acted(Runnable act) {
        try {
            act.run();
            return Answer.done();
        } catch (IllegalStateException e) {
            throw ControlRefusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** {@code {"fraction":0.4}} of the machine's memory, or {@code {"bytes":…}}. */
    private Answer limitMemory(ControlRequest request) {
        JsonNode body = request.json();
        if (body.path("fraction").isNumber()) {
            resources.scope().thresholds().memoryFraction(body.path("fraction").doubleValue());
        } else {
            resources.scope().thresholds().memoryBytes(request.required("bytes").asLong(0));
        }
        return Answer.done();
    }

    /** {@code {"bytes":…}}, or {@code {"fraction":1.5}} of the machine's memory. */
    private Answer limitDisk(ControlRequest request) {
        JsonNode body = request.json();
        if (body.path("fraction").isNumber()) {
            resources.scope().thresholds().diskFraction(body.path("fraction").doubleValue());
        } else {
            resources.scope().thresholds().diskBytes(request.required("bytes").asLong(0));
        }
        return Answer.done();
    }

    private Answer report(ControlRequest request) {
        String vhost = request.query().get("vhost");
        String queue = request.query().get("queue");
        VhostName name = vhost == null ? null : new VhostName(vhost);
        Selection selection = new Selection(name, name == null || queue == null ? null : new QueueName(name, queue));
        return Answer.of(resources
                .cluster()
                .local(ClusterView.parts(request.query().getOrDefault("parts", "")), selection)
                .join());
    }
}
