package io.leveret.node.cluster.replication;

import io.leveret.node.journal.Journal;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the replicas of one loop share: one doorbell of the journal for each batch, one hop for each fsync however many queues
 * wait for it, one timer. Owned by the loop, but for {@link #durable}.
 */
final class ReplicaLoop {
    /** A replica that waits for the journal, or for time to pass. */
    interface Member {
        /**
         * The journal has everything below this position on disk.
         *
         * @return whether it still waits for more
         */
        boolean durable(long position);

        void tick(long nowNanos);
    }

    private final SerialExecutor executor;
    private final Journal journal;
    private final AtomicBoolean isHopping = new AtomicBoolean();
    private final Runnable hop = this::hop;
    private final Runnable commit = this::commit;
    private final List<Member> members = new ArrayList<>();
    private List<Member> waiting = new ArrayList<>();
    private List<Member> stillWaiting = new ArrayList<>();
    private boolean isCommitDue;
    /** What was on disk when the members were last told. */
    private long toldPosition;

    private volatile boolean isWaiting;

    ReplicaLoop(SerialExecutor executor, Journal journal) {
        this.executor = executor;
        this.journal = journal;
    }

    SerialExecutor executor() {
        return executor;
    }

    /** A record was appended: rings the doorbell when the batch ends. */
    void appended() {
        if (!isCommitDue) {
            isCommitDue = true;
            executor.atEndOfBatch(commit);
        }
    }

    private void commit() {
        isCommitDue = false;
        journal.commit();
        // The journal writes as soon as it can, perhaps before the member is on the list: then nobody was told.
        if (isWaiting && journal.durablePosition() > toldPosition) {
            durable();
        }
    }

    /** The member waits for the disk; it is not on the list already. */
    void await(Member member) {
        waiting.add(member);
        isWaiting = true;
    }

    /** The journal's writing thread has fsynced. */
    void durable() {
        if (isWaiting && isHopping.compareAndSet(false, true)) {
            executor.execute(hop);
        }
    }

    private void hop() {
        // Before the position is read: an fsync after that hops again.
        isHopping.set(false);
        long position = journal.durablePosition();
        toldPosition = position;
        List<Member> asked = waiting;
        waiting = stillWaiting;
        stillWaiting = asked;
        for (Member each : asked) {
            if (each.durable(position)) {
                waiting.add(each);
            }
        }
        asked.clear();
        isWaiting = !waiting.isEmpty();
        // An fsync that ended between the read of the position and the flag would not have hopped.
        if (isWaiting && journal.durablePosition() > position) {
            durable();
        }
    }

    void add(Member member) {
        members.add(member);
    }

    void remove(Member member) {
        members.remove(member);
        waiting.remove(member);
    }

    void tick(long nowNanos) {
        for (Member each : List.copyOf(members)) {
            each.tick(nowNanos);
        }
    }
}
