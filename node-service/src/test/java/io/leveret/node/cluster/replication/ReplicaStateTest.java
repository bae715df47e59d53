package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaStateTest {
    private final long seed = seed();
    private final Random random = new Random(seed);

    private static long seed() {
        long seed = new Random().nextLong();
        System.out.println("ReplicaStateTest seed " + seed);
        return seed;
    }

    private long index;
    private long number;
    private final List<MessageId> published = new ArrayList<>();

    private static final class Journal implements ReplicaOutput {
        final List<byte[]> records = new ArrayList<>();

        @Override
        public void append(ReplicaRecord record) {
            records.add(ReplicaRecordCodec.encode(record));
        }

        @Override
        public void released(LiveMessage entry) {}

        @Override
        public void send(int node, ReplicaMessage message) {}
    }

    private ReplicaRecord.Event event(boolean isPersistentOnly) {
        MessageId id = new MessageId(1, ++index);
        Origin origin = new Origin(1, 1, 1 + random.nextInt(2), ++number);
        boolean isPersistent = isPersistentOnly || random.nextBoolean();
        Message message = new Message("x", "q", new byte[2], new byte[3], isPersistent).withOrigin(origin);
        switch (random.nextInt(published.isEmpty() ? 2 : 9)) {
            case 3, 4, 5 -> {
                MessageId settled = published.get(random.nextInt(published.size()));
                return new ReplicaRecord.Queued(
                        id, new QueueEvent.Settled(IdRuns.of(settled), QueueEvent.Reason.ACKED));
            }
            case 6 -> {
                return new ReplicaRecord.Merged(
                        id, new MessageCopy(new MessageId(0, index), message, origin, true, 0, LiveMessage.NEVER));
            }
            case 7 -> {
                return new ReplicaRecord.Resent(id, origin, new MessageId(1, 1));
            }
            case 8 -> {
                return random.nextBoolean()
                        ? new ReplicaRecord.Thaw(id)
                        : new ReplicaRecord.Purged(
                                id, new QueueEvent.Purged(IdRuns.of(published.get(0))), new RunSet());
            }
            default -> {
                published.add(id);
                return new ReplicaRecord.Queued(
                        id, new QueueEvent.Published(message, origin, number, random.nextInt(4) == 0));
            }
        }
    }

    private static String content(ReplicaState state) {
        RecordWriter out = new RecordWriter(64);
        state.dedupe().write(out);
        return state.queue().live().runs() + " known " + state.known() + " ends " + state.ends() + " dedupe "
                + HexFormat.of().formatHex(out.toByteArray());
    }

    @Test
    void truncationGivesTheStateOfThatMomentBack() {
        for (int round = 0; round < 500; round++) {
            index = 0;
            published.clear();
            ReplicaState state = new ReplicaState(true);
            List<String> contents = new ArrayList<>(List.of(content(state)));
            List<MessageId> points = new ArrayList<>(List.of(MessageId.ZERO));
            for (int step = 0; step < 30; step++) {
                ReplicaRecord.Event event = event(false);
                state.apply(event);
                contents.add(content(state));
                points.add(event.id());
            }
            while (points.size() > 1) {
                int back = random.nextInt(points.size());
                state.truncate(points.get(back), entry -> {});
                assertThat(content(state)).as("seed %d", seed).isEqualTo(contents.get(back));
                contents.subList(back + 1, contents.size()).clear();
                points.subList(back + 1, points.size()).clear();
            }
        }
    }

    @Test
    void aRestartFindsTheStateOfOneEarlierMoment() {
        for (int round = 0; round < 300; round++) {
            index = 0;
            published.clear();
            ReplicaState state = new ReplicaState(true);
            Journal journal = new Journal();
            List<String> contents = new ArrayList<>(List.of(content(state)));
            for (int step = 0; step < 30; step++) {
                MessageId before = state.end();
                ReplicaRecord.Event event = event(true);
                state.apply(event);
                state.journal(event, before, journal);
                contents.add(content(state));
                if (random.nextInt(8) == 0) {
                    MessageId point = new MessageId(1, Math.max(1, state.end().index() - random.nextInt(4)));
                    state.truncate(point, entry -> {});
                    state.journal(new ReplicaRecord.Truncated(point), state.end(), journal);
                    index = point.index() + 100;
                    contents.add(content(state));
                }
                assertThat(contents).hasSize(journal.records.size() + 1);
            }
            int kept = random.nextInt(journal.records.size() + 1);
            ReplicaState found = new ReplicaState(true);
            for (int at = 0; at < kept; at++) {
                found.recover(ReplicaRecordCodec.decode(ByteBuffer.wrap(journal.records.get(at))), at + 1);
            }
            assertThat(found.queue().live().runs().toString())
                    .as("seed %d", seed)
                    .isEqualTo(
                            contents.get(kept).substring(0, contents.get(kept).indexOf(" known")));
        }
    }

    @Test
    void transientMessagesAreUnknownAfterARestartUnlessTheyWereSettled() {
        ReplicaState state = new ReplicaState(true);
        Journal journal = new Journal();
        for (int at = 1; at <= 3; at++) {
            Origin origin = new Origin(1, 1, 1, at);
            Message message = new Message("x", "q", new byte[2], new byte[3], at == 2).withOrigin(origin);
            put(state, journal, new QueueEvent.Published(message, origin, 1, false));
        }
        put(state, journal, new QueueEvent.Settled(IdRuns.of(new MessageId(1, 1)), QueueEvent.Reason.ACKED));

        ReplicaState found = new ReplicaState(true);
        for (byte[] record : journal.records) {
            found.recover(ReplicaRecordCodec.decode(ByteBuffer.wrap(record)), 1);
        }
        found.recovered();
        assertThat(found.queue().live().runs().toString()).isEqualTo("[1/2]");
        assertThat(found.known())
                .as("settled and kept")
                .isEqualTo(RunSet.of(new MessageId(1, 1), new MessageId(1, 2), new MessageId(1, 4)));
        assertThat(found.dedupe().held(new Origin(1, 1, 1, 1)))
                .as("a second copy of the settled one is recognised")
                .isEqualTo(new MessageId(1, 1));
        assertThat(found.dedupe().held(new Origin(1, 1, 1, 3))).isNull();
    }

    private static void put(ReplicaState state, Journal journal, QueueEvent event) {
        MessageId before = state.end();
        ReplicaRecord.Event record = new ReplicaRecord.Queued(new MessageId(1, before.index() + 1), event);
        state.apply(record);
        state.journal(record, before, journal);
    }

    @Test
    void aPurgeMakesAllLowerIdsKnownButWhatIsKeptAndMissing() {
        ReplicaState mirror = new ReplicaState(false);
        mirror.apply(new ReplicaRecord.Purged(
                new MessageId(3, 9), new QueueEvent.Purged(IdRuns.range(3, 1, 4)), RunSet.of(new MessageId(3, 5))));
        assertThat(mirror.known().contains(new MessageId(2, 70)))
                .as("of an epoch never seen")
                .isTrue();
        assertThat(mirror.known().contains(new MessageId(3, 2))).isTrue();
        assertThat(mirror.known().contains(new MessageId(3, 5)))
                .as("it is still to be backfilled")
                .isFalse();
    }
}
