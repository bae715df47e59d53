package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.journal.Release;
import io.leveret.node.runtime.ManualExecutor;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica writes, and what a restart makes of it, with the real journal. */
class ReplicaDiskTest {
    private static final long STREAM = 5;
    private static final ReplicaLoop.Member NOT_WAITING = new ReplicaLoop.Member() {
        @Override
        public boolean durable(long position) {
            return false;
        }

        @Override
        public void tick(long nowNanos) {}
    };

    @TempDir
    Path folder;

    private final ManualExecutor executor = new ManualExecutor();
    private final RecordedFaults faults = new RecordedFaults();

    private FileJournal open() throws IOException {
        return FileJournal.open(folder, JournalSettings.small(), new SystemClock(), faults);
    }

    private ReplicaDisk disk(FileJournal journal, ReplicaState state) {
        ReplicaLoop loop = new ReplicaLoop(executor, journal);
        return new ReplicaDisk(journal, loop, NOT_WAITING, state, STREAM, 1, request -> {});
    }

    private static ReplicaOutput appendingTo(ReplicaDisk disk) {
        return new ReplicaOutput() {
            @Override
            public void append(ReplicaRecord record) {
                disk.append(record);
            }

            @Override
            public void released(LiveMessage entry) {}

            @Override
            public void send(int node, ReplicaMessage message) {}
        };
    }

    @Test
    void aMessageThatCameAfterItsSettleIsFoundAgainWhenTheSettleIsUndone() throws IOException {
        MessageId settled = new MessageId(1, 1);
        ReplicaState state = new ReplicaState(true);
        try (FileJournal journal = open()) {
            journal.recover(new JournalRecovery());
            ReplicaDisk disk = disk(journal, state);
            ReplicaOutput output = appendingTo(disk);
            executor.inside(() -> {
                disk.begin();
                ReplicaRecord.Event settle = new ReplicaRecord.Queued(
                        new MessageId(1, 2), new QueueEvent.Settled(IdRuns.of(settled), QueueEvent.Reason.ACKED));
                state.apply(settle);
                state.journal(settle, MessageId.ZERO, output);
                MessageCopy copy = new MessageCopy(
                        settled,
                        new Message("x", "q", new byte[2], new byte[3], true),
                        null,
                        false,
                        0,
                        LiveMessage.NEVER);
                assertThat(state.backfill(copy)).isTrue();
                state.journal(new ReplicaRecord.Backfilled(copy), state.end(), output);
                MessageId point = new MessageId(1, 1);
                state.truncate(point, entry -> {});
                state.journal(new ReplicaRecord.Truncated(point), state.end(), output);
            });
            executor.runAll();
            assertThat(state.queue().live().get(settled).position()).isNotEqualTo(LiveMessage.NO_POSITION);
        }
        JournalRecovery recovery = new JournalRecovery();
        try (FileJournal journal = open()) {
            journal.recover(recovery);
            var found = recovery.finish();
            assertThat(recovery.damaged()).isEmpty();
            LiveMessage live = found.get(STREAM).state().queue().live().get(settled);
            assertThat(live.position())
                    .isEqualTo(state.queue().live().get(settled).position());
            assertThat(live.message()).as("read back when it is asked for").isNull();
        }
        faults.assertNone();
    }

    @Test
    void aReplicaWithALostMessageIsDamagedAndTheOthersAreKept() {
        ReplicaState losing = new ReplicaState(true);
        losing.apply(new ReplicaRecord.Queued(
                new MessageId(3, 1),
                new QueueEvent.Published(new Message("x", "q", new byte[2], new byte[3], true), null, 0, false)));
        JournalRecovery recovery = new JournalRecovery();
        for (long stream = 1; stream <= 3; stream++) {
            byte[] state = Seams.checkpoint(stream == 2 ? losing : new ReplicaState(true));
            recovery.checkpoint(
                    stream,
                    ByteBuffer.allocate(8 + state.length).putLong(1).put(state).flip());
        }
        assertThat(recovery.finish()).containsOnlyKeys(1L, 3L);
        assertThat(recovery.damaged()).containsExactly(2L);
    }

    /** The journal asks for all there is. */
    private static final class Asked implements Release {
        long[] live = {};
        byte[] checkpoint = {};

        @Override
        public long stream() {
            return STREAM;
        }

        @Override
        public long from() {
            return 1;
        }

        @Override
        public long until() {
            return Long.MAX_VALUE;
        }

        @Override
        public void answer(long[] livePositions, byte[] content) {
            live = livePositions;
            checkpoint = content;
        }

        @Override
        public void forget() {
            throw new AssertionError("the stream has an owner");
        }
    }

    @Test
    void nothingOfAQueueThatIsNotDurableIsFoundAfterARestart() throws IOException {
        ReplicaState state = new ReplicaState(false);
        Message message = new Message("x", "q", new byte[2], new byte[3], true);
        MessageId id = new MessageId(3, 1);
        Asked asked = new Asked();
        try (FileJournal journal = open()) {
            journal.recover(new JournalRecovery());
            ReplicaDisk disk = disk(journal, state);
            executor.inside(() -> {
                disk.begin();
                state.apply(new ReplicaRecord.Queued(id, new QueueEvent.Published(message, null, 0, false)));
                disk.page(state.queue().live().get(id), message);
                disk.release(asked);
            });
            executor.runAll();
        }
        assertThat(asked.live).as("readable while the node runs").hasSize(1);
        JournalRecovery recovery = new JournalRecovery();
        recovery.checkpoint(STREAM, ByteBuffer.wrap(asked.checkpoint));
        assertThat(recovery.finish()).isEmpty();
        assertThat(recovery.damaged()).isEmpty();
        faults.assertNone();
    }
}
