package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.QueueLeader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives a leadership away in good order: the next leader learns which messages were delivered, and all others are new to its
 * consumers, too.
 *
 * <pre>
 *            ┌─────────────── begin ────────────────┐
 *            ▼                                      │
 * IDLE ─begin─► RESTING    nothing is delivered, publishes are taken
 *   ▲              │ nothing is out, or the rest is over
 *   │              ▼
 *   │           HANDING    the event {@link ReplicaRecord.HandOver} tells what was delivered; publishes are refused, and
 *   │              │       kept by their origins; when all is committed the leadership may be moved
 *   │              │ it took too long, and it is not for good; or nobody can take it
 *   │              ▼
 *   └─committed─ RETURNING publishes are taken; the event tells that there will be deliveries again
 * </pre>
 *
 * What the event says holds for the next epoch alone, if all went cleanly: then whoever leads it has the event, or the one
 * that took it back, and nothing was delivered in between. Otherwise all inherited messages count as delivered. Owned by the
 * queue's executor. No clock: times are given.
 */
public final class HandOver {
    /** Times for consumers and clusters of people. */
    public static final Times USUAL = new Times(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(10));
    /** Beyond it the event names all of an epoch from the first to the last: a little too much is delivered as redelivered. */
    static final int RUNS_MAX = 4096;

    /**
     * How long it may take.
     *
     * @param restNanos consumers that are at work settle what they have; who holds on to deliveries gets them again
     * @param giveUpNanos the command was refused, or nobody answers: the queue must go on
     */
    public record Times(long restNanos, long giveUpNanos) {}

    private final LeaderCore core;
    private final QueueLeader queue;
    private final Runnable served;
    private final Times times;
    private final Rules rules;
    private Phase phase = Phase.IDLE;
    private long since;
    private boolean isForGood;
    private MessageId takenBack = MessageId.ZERO;

    private enum Phase {
        IDLE,
        RESTING,
        HANDING,
        RETURNING
    }

    /** @param served called when {@link #mayDeliver} or {@link #mayPublish} changes */
    public HandOver(LeaderCore core, QueueLeader queue, Runnable served, Times times) {
        this.core = core;
        this.queue = queue;
        this.served = served;
        this.times = times;
        this.rules = core.rules();
    }

    /** What leaders before this epoch have delivered of what a replica holds, or null: perhaps all. */
    public static @Nullable IdRuns delivered(ReplicaState state, ReplicaSet placement) {
        ReplicaRecord.HandOver last = last(state, placement);
        return last == null ? null : last.delivered().toIdRuns();
    }

    /** The epoch from which on each leader gave way in good order to the next, up to this one, which may be it. */
    static long since(ReplicaState state, ReplicaSet placement) {
        ReplicaRecord.HandOver last = last(state, placement);
        return last == null ? placement.epoch() : last.since();
    }

    /** Whether the leader before was asked to synchronise its mirrors, and had not done it when it gave way. */
    static boolean isSyncWanted(ReplicaState state, ReplicaSet placement) {
        ReplicaRecord.HandOver last = last(state, placement);
        return last != null && last.isSyncWanted();
    }

    private static ReplicaRecord.@Nullable HandOver last(ReplicaState state, ReplicaSet placement) {
        ReplicaRecord.HandOver last = state.handOver();
        if (last == null || !last.isBegun() || placement.lossyEpoch() == placement.epoch()) {
            return null;
        }
        boolean isLast = last.id().epoch() + 1 == placement.epoch();
        return isLast || !state.rules().has(Rule.HAND_OVER_IS_OF_THE_LAST_EPOCH) ? last : null;
    }

    /** @param isForGoodNow the node stops: it is not given up */
    public void begin(long nowNanos, boolean isForGoodNow) {
        isForGood |= isForGoodNow;
        if (phase == Phase.IDLE || phase == Phase.RETURNING) {
            phase = Phase.RESTING;
            since = nowNanos;
            served.run();
        }
    }

    /** Whether it has begun and is neither done nor given up. */
    public boolean isUnderWay() {
        return phase != Phase.IDLE;
    }

    public boolean mayDeliver() {
        return phase == Phase.IDLE || (phase == Phase.HANDING && !rules.has(Rule.HAND_OVER_STOPS_DELIVERIES));
    }

    public boolean mayPublish() {
        return phase != Phase.HANDING;
    }

    /**
     * Goes on, after each batch and now and then.
     *
     * @param isPossible whether another member of the in-sync set could lead
     * @return whether the leadership may be moved now
     */
    public boolean advance(long nowNanos, boolean isPossible) {
        long past = nowNanos - since;
        if (phase == Phase.RESTING && (queue.counts().unacked() == 0 || past >= times.restNanos())) {
            phase = Phase.HANDING;
            core.handOver(true, RunSet.of(bounded(queue.delivered())));
            served.run();
        }
        if (phase == Phase.HANDING && (!isPossible || (!isForGood && past >= times.giveUpNanos()))) {
            phase = Phase.RETURNING;
            takenBack = core.handOver(false, new RunSet());
            served.run();
        }
        if (phase == Phase.RETURNING && isTakenBack()) {
            phase = Phase.IDLE;
            served.run();
        }
        return phase == Phase.HANDING && core.isQuiet();
    }

    private boolean isTakenBack() {
        return !rules.has(Rule.TAKING_BACK_WAITS_FOR_COMMIT)
                || (core.committed().compareTo(takenBack) >= 0 && core.durable().compareTo(takenBack) >= 0);
    }

    private static IdRuns bounded(IdRuns delivered) {
        if (delivered.count() <= RUNS_MAX) {
            return delivered;
        }
        IdRuns.Builder coarse = new IdRuns.Builder();
        int from = 0;
        for (int run = 1; run <= delivered.count(); run++) {
            if (run == delivered.count() || delivered.epoch(run) != delivered.epoch(from)) {
                coarse.add(delivered.epoch(from), delivered.first(from), delivered.last(run - 1));
                from = run;
            }
        }
        return coarse.build();
    }
}
