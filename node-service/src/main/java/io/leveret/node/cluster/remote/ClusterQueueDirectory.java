package io.leveret.node.cluster.remote;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.QueueDirectory;
import io.leveret.node.cluster.metadata.ClusterDelta;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.cluster.replication.NodeNumbers;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queues of the cluster, each behind one handle for each of its lives. It follows metadata and links, and is where leaders
 * on this node find the way back to the origins of what they answer. Built by the composition root after {@link QueueHosts},
 * and before links are made.
 */
public final class ClusterQueueDirectory implements QueueDirectory {
    /**
     * What it stands on.
     *
     * @param executor where rare questions are asked
     * @param publishDeadlineNanos how long a publish may wait for a leader and its answer
     */
    public record Wiring(
            MetadataStore store,
            QueueHosts hosts,
            PeerTransport transport,
            SerialExecutor executor,
            NodeClock clock,
            long publishDeadlineNanos) {}

    private static final long READY_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final Wiring wiring;
    private final RemoteQueueService service;
    private final QueueQuestions questions;
    private final ConcurrentHashMap<QueueName, ClusterQueue> queues = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, ClusterQueue> byIncarnation = new ConcurrentHashMap<>();
    private volatile NodeNumbers numbers;

    public ClusterQueueDirectory(Wiring wiring) {
        this.wiring = wiring;
        this.numbers = NodeNumbers.of(wiring.store().cluster());
        this.service = new RemoteQueueService(this);
        this.questions = new QueueQuestions(
                wiring.hosts(),
                wiring.transport(),
                wiring.executor(),
                wiring.store().localNode());
        wiring.transport().register(RemoteQueueService.SERVICE, service);
        wiring.transport().listen(service);
        wiring.hosts().answerThrough(this::toOrigin);
        wiring.store().addListener(this::changed);
        ClusterImage image = wiring.store().cluster();
        reload(image);
        // What was applied meanwhile may have been told before it could be seen here.
        while (wiring.store().cluster().index() != image.index()) {
            image = wiring.store().cluster();
            reload(image);
        }
    }

    @Override
    public @Nullable QueueHandle find(QueueName name) {
        return queues.get(name);
    }

    @Override
    public CompletionStage<?> ready(QueueName name) {
        ClusterQueue queue = queues.get(name);
        if (queue == null || self().equals(queue.lead().node())) {
            return CompletableFuture.completedFuture(null);
        }
        // Its node may hear later than this one that it leads.
        return questions.ask(queue, new QueueQuestion.Counts(), READY_NANOS_MAX).handle((counts, failure) -> null);
    }

    private void changed(ClusterDelta delta, ClusterImage image) {
        if (delta.isReload()) {
            reload(image);
            return;
        }
        if (!delta.nodes().isEmpty()) {
            numbers = NodeNumbers.of(image);
        }
        for (ClusterDelta.PlacementChange change : delta.placements()) {
            QueuePlacement after = change.after();
            if (after == null) {
                remove(change.incarnation());
            } else {
                put(after, image);
            }
        }
    }

    private void reload(ClusterImage image) {
        numbers = NodeNumbers.of(image);
        byIncarnation.keySet().forEach(incarnation -> {
            if (image.placement(incarnation) == null) {
                remove(incarnation);
            }
        });
        image.placements().values().forEach(each -> put(each, image));
    }

    private void put(QueuePlacement placement, ClusterImage image) {
        ClusterQueue known = byIncarnation.get(placement.incarnation());
        if (known != null) {
            known.placed(placement);
            return;
        }
        QueueDefinition definition = image.definitions().queue(placement.queue());
        boolean isDurable = definition == null || definition.isDurable();
        ClusterQueue made = byIncarnation.computeIfAbsent(
                placement.incarnation(), key -> new ClusterQueue(placement, isDurable, this));
        ClusterQueue before = queues.put(placement.queue(), made);
        if (before != null && before != made) {
            before.deleted();
            byIncarnation.remove(before.incarnation(), before);
        }
    }

    private void remove(long incarnation) {
        ClusterQueue queue = byIncarnation.remove(incarnation);
        if (queue != null) {
            queues.remove(queue.name(), queue);
            queue.deleted();
        }
    }

    /** A leader on this node answers a channel, wherever that is. Called on the queue's executor. */
    private void toOrigin(long incarnation, SerialExecutor from, OriginMessage.ToOrigin message) {
        NodeName node = numbers.name(message.channel().node());
        if (node == null || (node.equals(self()) && message.channel().boot() != boot())) {
            return;
        }
        if (node.equals(self())) {
            toLocalOrigin(incarnation, from, message);
        } else {
            service.toOrigin(node, incarnation, from, message);
        }
    }

    void toLocalOrigin(long incarnation, SerialExecutor from, OriginMessage.ToOrigin message) {
        ClusterQueue queue = byIncarnation.get(incarnation);
        if (queue != null) {
            queue.toOrigin(from, message);
        }
    }

    /** A node can be reached (again). */
    void reachable(NodeName node) {
        byIncarnation.values().forEach(each -> each.reachable(node));
    }

    /** A link ended: publishes to leaders beyond it wait for another. */
    void unreachable(NodeName node) {
        byIncarnation.values().forEach(each -> each.reachable(node));
    }

    NodeName self() {
        return wiring.store().localNode();
    }

    int selfNumber() {
        return number(self());
    }

    int number(NodeName node) {
        return numbers.number(node);
    }

    /** Null for a number that metadata does not know. */
    @Nullable
    NodeName nameOf(int number) {
        return numbers.name(number);
    }

    long boot() {
        return wiring.store().boot();
    }

    long nanoTime() {
        return wiring.clock().nanoTime();
    }

    long publishDeadlineNanos() {
        return wiring.publishDeadlineNanos();
    }

    QueueHosts hosts() {
        return wiring.hosts();
    }

    PeerTransport transport() {
        return wiring.transport();
    }

    RemoteQueueService service() {
        return service;
    }

    QueueQuestions questions() {
        return questions;
    }
}
