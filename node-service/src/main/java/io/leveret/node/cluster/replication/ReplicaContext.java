package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.node.broker.queue.MemoryBudget;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.journal.Journal;
import io.leveret.node.runtime.NodeClock;
import org.jspecify.annotations.Nullable;

/** What all replicas of a node share. The numbers of nodes come with metadata. */
final class ReplicaContext {
    final MetadataStore store;
    final Journal journal;
    final PeerTransport transport;
    final NodeClock clock;
    final MemoryBudget budget;
    final Proposals proposals;
    final ReplicationSettings settings;
    private volatile NodeNumbers numbers;
    private volatile boolean isBackfillPaused;
    private volatile boolean isPaused;
    private volatile @Nullable BodyRescue rescue;
    private volatile DeadLetterSinks deadLetters = DeadLetterSinks.DROPPING;
    private volatile OriginSink origins = (incarnation, from, message) -> {};

    ReplicaContext(
            MetadataStore store,
            Journal journal,
            PeerTransport transport,
            NodeClock clock,
            MemoryBudget budget,
            Proposals proposals,
            ReplicationSettings settings) {
        this.store = store;
        this.journal = journal;
        this.transport = transport;
        this.clock = clock;
        this.budget = budget;
        this.proposals = proposals;
        this.settings = settings;
        this.numbers = NodeNumbers.of(store.cluster());
    }

    NodeNumbers numbers() {
        return numbers;
    }

    void numbers(NodeNumbers now) {
        numbers = now;
    }

    int self() {
        return numbers.number(store.localNode());
    }

    /** A memory or disk alarm: older messages can wait. */
    boolean isBackfillPaused() {
        return isBackfillPaused;
    }

    void pauseBackfill(boolean isPaused) {
        isBackfillPaused = isPaused;
    }

    /** No Raft majority. */
    boolean isPaused() {
        return isPaused;
    }

    void pause(boolean isPausedNow) {
        isPaused = isPausedNow;
    }

    BodyRescue rescue() {
        BodyRescue made = rescue;
        if (made == null) {
            throw new IllegalStateException("not set up yet");
        }
        return made;
    }

    void rescue(BodyRescue made) {
        rescue = made;
    }

    DeadLetterSinks deadLetters() {
        return deadLetters;
    }

    void deadLetters(DeadLetterSinks sinks) {
        deadLetters = sinks;
    }

    OriginSink origins() {
        return origins;
    }

    void origins(OriginSink sink) {
        origins = sink;
    }

    @Nullable
    PeerLink link(int node) {
        NodeName name = numbers.name(node);
        return name == null ? null : transport.link(name);
    }
}
