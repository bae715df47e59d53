package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.BodyReader;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that the leader's disk has lost and somebody waits for:
 *
 * <pre>
 * damaged ──ask the other replicas──► one has it: it is here again, and written anew
 *    ▲                           ├──► all said that they have it not, or it took too long: settled, on every replica
 *    └──────── after a pause ────┴──► one did not answer, or is down
 * </pre>
 *
 * A replica that restarts has what is on its disk, so it is waited for; but not for ever, as what comes after the message waits
 * with it. Owned by the queue's executor. Bound: what is read at a time.
 */
final class LostBodies {
    private static final Logger LOG = LoggerFactory.getLogger(LostBodies.class);
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A node restarts within this, and reads its journal back. */
    private static final long SEARCH_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    private final QueueHost host;
    private final ReplicaContext context;
    private final LeaderCore core;
    private final ReplicaOutput output;
    /** Since when each is looked for. */
    private final Map<MessageId, Long> since = new HashMap<>();

    private boolean isClosed;

    LostBodies(QueueHost host, ReplicaContext context, LeaderCore core, ReplicaOutput output) {
        this.host = host;
        this.context = context;
        this.core = core;
        this.output = output;
    }

    /** A read has failed. Whoever waits reads again now and then, so the same one may be told many times. */
    void rescue(BodyReader.Request lost) {
        LiveMessage entry = host.state().queue().live().get(lost.id());
        boolean isHere = entry == null || entry.message() != null || entry.position() != lost.position();
        if (!isHere && !isClosed && since.putIfAbsent(lost.id(), context.clock.nanoTime()) == null) {
            fetch(lost.id());
        }
    }

    private void fetch(MessageId id) {
        if (!isClosed) {
            context.rescue()
                    .fetch(
                            host.incarnation(),
                            id,
                            host.otherReplicas(),
                            answer -> host.executor().execute(() -> fetched(id, answer)));
        }
    }

    private void fetched(MessageId id, BodyRescue.Found found) {
        if (isClosed) {
            return;
        }
        MessageCopy copy = found.copy();
        long searched = context.clock.nanoTime() - since.getOrDefault(id, 0L);
        if (copy == null
                && !(found.isCertain() && host.areAllReplicasLive())
                && searched < SEARCH_NANOS_MAX
                && host.state().queue().live().contains(id)) {
            host.executor().schedule(() -> fetch(id), AGAIN_NANOS);
            return;
        }
        since.remove(id);
        if (copy == null) {
            LOG.error("queue {}: message {} is damaged on every replica and is dropped", host.name(), id);
            core.append(new QueueEvent.Settled(IdRuns.of(id), QueueEvent.Reason.SETTLED_ELSEWHERE));
        } else if (host.state().queue().live().attach(id, copy.message())) {
            LOG.warn("queue {}: message {} was damaged here and came from a mirror", host.name(), id);
            host.state()
                    .journal(new ReplicaRecord.Backfilled(copy), host.state().end(), output);
        }
        host.planEndOfBatch();
    }

    void close() {
        isClosed = true;
    }
}
