package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.PolicyMatcher;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.runtime.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The cluster as seen from this node: what is agreed, and what the nodes that are up say of themselves. */
final class ClusterView {
    /** A node that does not answer within it is left out of a list. */
    private static final long REPORT_MILLIS_MAX = 3_000;
    /** A list may be that much behind rather than fail. */
    private static final long UP_TO_DATE_MILLIS_MAX = 1_000;

    private final ControlScope scope;
    private final PeerControl peers;

    ClusterView(ControlScope scope, PeerControl peers) {
        this.scope = scope;
        this.peers = peers;
    }

    /** Which queues are asked for. */
    record Selection(@Nullable VhostName vhost, @Nullable QueueName queue) {
        static final Selection ALL = new Selection(null, null);

        Collection<QueuePlacement> of(ClusterImage image) {
            if (queue != null) {
                QueuePlacement placement = image.placement(queue);
                return placement == null ? List.of() : List.of(placement);
            }
            return vhost == null ? image.placements().values() : image.placements(vhost);
        }
    }

    ControlScope scope() {
        return scope;
    }

    /** What is agreed, caught up with the others unless that takes long: without a majority, what this node knows. */
    ClusterImage image() {
        try {
            return scope.store()
                    .clusterUpToDate()
                    .toCompletableFuture()
                    .get(UP_TO_DATE_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return scope.store().cluster();
        } catch (InterruptedException e) {
            Interruption.keep();
            return scope.store().cluster();
        }
    }

    /** The matchers of a vhost's policies. */
    static PolicyMatcher policies(ClusterImage image, VhostName vhost) {
        return new PolicyMatcher(
                image.definitions().policies(vhost).values(),
                image.definitions().operatorPolicies(vhost).values());
    }

    /** What this node alone says. */
    CompletableFuture<NodeReport> local(Set<Part> parts, Selection selection) {
        if (parts.contains(Part.TOTALS)) {
            Set<Part> all = new HashSet<>(parts);
            all.remove(Part.TOTALS);
            all.addAll(Set.of(Part.QUEUES, Part.CONNECTIONS, Part.CHANNELS));
            return local(all, selection).thenApply(Totals::summed);
        }
        ClusterImage image = scope.store().cluster();
        NodeName self = scope.store().localNode();
        List<QueueName> led = !parts.contains(Part.QUEUES)
                ? List.of()
                : selection.of(image).stream()
                        .filter(placement -> placement.isLedBy(self))
                        .map(QueuePlacement::queue)
                        .toList();
        Set<String> owners = led.stream()
                .map(queue -> image.definitions().owner(queue))
                .filter(Objects::nonNull)
                .map(QueueOwner::toString)
                .collect(Collectors.toSet());
        return scope.figures().report(parts, led, owners).toCompletableFuture();
    }

    /** What every live node says; those that do not answer are left out. */
    List<NodeReport> reports(Set<Part> parts, Selection selection) {
        NodeName self = scope.store().localNode();
        List<CompletableFuture<@Nullable NodeReport>> asked = new ArrayList<>();
        asked.add(local(parts, selection).thenApply(report -> report));
        for (ClusterNode node : scope.store().cluster().nodes().values()) {
            if (node.isLive() && !node.name().equals(self)) {
                asked.add(remote(node.name(), parts, selection));
            }
        }
        return answered(asked).stream().filter(Objects::nonNull).toList();
    }

    private CompletableFuture<@Nullable NodeReport> remote(NodeName node, Set<Part> parts, Selection selection) {
        String query = "?parts="
                + parts.stream()
                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(","));
        VhostName vhost = selection.queue == null ? selection.vhost : selection.queue.vhost();
        if (vhost != null) {
            query += "&vhost=" + PeerControl.encoded(vhost.value());
        }
        if (selection.queue != null) {
            query += "&queue=" + PeerControl.encoded(selection.queue.value());
        }
        return peers.ask(scope.controlAddresses(), node, "GET", "/node/report" + query, new byte[0])
                .thenApply(answer ->
                        answer.status() == 200 ? Json.convert(Json.parse(answer.body()), NodeReport.class) : null)
                .toCompletableFuture();
    }

    /** One answer for each question, waited for together; null for those that fail or do not come soon. */
    private static <T> List<@Nullable T> answered(List<CompletableFuture<@Nullable T>> asked) {
        List<@Nullable T> answers = new ArrayList<>();
        try {
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .get(REPORT_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // Those that did answer are enough.
        } catch (InterruptedException e) {
            Interruption.keep();
        }
        for (CompletableFuture<@Nullable T> one : asked) {
            answers.add(one.isDone() && !one.isCompletedExceptionally() ? one.join() : null);
        }
        return answers;
    }

    /** Hands a request on to the node that can carry it out. */
    Answer forward(NodeName node, String method, String path, byte[] body) {
        PeerControl.PeerAnswer answer = Waiting.on(peers.ask(scope.controlAddresses(), node, method, path, body));
        return answer.body().length == 0
                ? new Answer(answer.status(), null, Map.of())
                : new Answer(answer.status(), Json.parse(answer.body()), Map.of());
    }

    /** What another node says to a question whose answer can be done without; null when it does not come soon. */
    @Nullable
    JsonNode glance(NodeName node, String path) {
        return glances(List.of(node), path).get(node);
    }

    /** As {@link #glance}, of several nodes at once; those that do not answer soon are left out. */
    Map<NodeName, JsonNode> glances(Collection<NodeName> nodes, String path) {
        List<NodeName> order = List.copyOf(nodes);
        List<CompletableFuture<@Nullable JsonNode>> asked = new ArrayList<>();
        for (NodeName node : order) {
            asked.add(peers.ask(scope.controlAddresses(), node, "GET", path, new byte[0])
                    .<@Nullable JsonNode>thenApply(answer -> answer.status() == 200 ? Json.parse(answer.body()) : null)
                    .toCompletableFuture());
        }
        List<@Nullable JsonNode> answers = answered(asked);
        Map<NodeName, JsonNode> told = new LinkedHashMap<>();
        for (int i = 0; i < order.size(); i++) {
            JsonNode answer = answers.get(i);
            if (answer != null) {
                told.put(order.get(i), answer);
            }
        }
        return told;
    }

    /** The parts named in a query. */
    static Set<Part> parts(String list) {
        return Arrays.stream(list.split(","))
                .map(word -> word.toUpperCase(Locale.ROOT))
                .flatMap(word ->
                        Arrays.stream(Part.values()).filter(part -> part.name().equals(word)))
                .collect(Collectors.toSet());
    }

    /** Matchers of all vhosts, made when first asked for. */
    static final class Matchers {
        private final ClusterImage image;
        private final Map<VhostName, PolicyMatcher> made = new HashMap<>();

        Matchers(ClusterImage image) {
            this.image = image;
        }

        PolicyMatcher of(VhostName vhost) {
            return made.computeIfAbsent(vhost, name -> policies(image, name));
        }
    }
}
