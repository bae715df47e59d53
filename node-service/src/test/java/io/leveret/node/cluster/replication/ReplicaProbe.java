package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.BodyReader;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Looks into a replica, for tests of other packages. Called on the replica's executor. */
public final class ReplicaProbe {
    private ReplicaProbe() {}

    /** Messages that it holds. */
    public static long held(QueueHost host) {
        return host.state().queue().live().count();
    }

    /**
     * Reads the body of the oldest message from disk, and each time that it is there again.
     *
     * @param found counts the bodies that came
     */
    public static void keepReading(QueueHost host, BooleanSupplier goesOn, AtomicLong found) {
        LiveMessages live = host.state().queue().live();
        IdRuns ids = live.runs(MessageId.ZERO, host.state().end());
        MessageId oldest = new MessageId(ids.epoch(0), ids.first(0));
        keepReading(host, oldest, goesOn, found);
    }

    private static void keepReading(QueueHost host, MessageId id, BooleanSupplier goesOn, AtomicLong found) {
        LiveMessage now = Objects.requireNonNull(host.state().queue().live().get(id));
        host.disk().read(List.of(new BodyReader.Request(id, now.position())), messages -> {
            found.addAndGet(messages.get(0) == null ? 0 : 1);
            if (goesOn.getAsBoolean()) {
                keepReading(host, id, goesOn, found);
            }
        });
    }
}
