package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaCheckpointTest {
    private static final byte[] HEADER = {0x10, 0, 2};

    private final Map<MessageId, Long> positions = new HashMap<>();

    private static Message message(Random random, Origin origin) {
        return new Message("e", "k", HEADER, new byte[random.nextInt(20)], true).withOrigin(origin);
    }

    /** A state after random events, some of them committed. */
    private ReplicaState state(Random random) {
        ReplicaState state = new ReplicaState(true);
        List<MessageId> live = new ArrayList<>();
        for (int index = 1; index < 2 + random.nextInt(60); index++) {
            MessageId id = new MessageId(3, index);
            if (live.isEmpty() || random.nextInt(3) > 0) {
                Origin origin = new Origin(1, 2, random.nextInt(3), index);
                state.apply(new ReplicaRecord.Queued(
                        id, new QueueEvent.Published(message(random, origin), origin, 0, random.nextInt(5) == 0)));
                positions.put(id, 100L + index);
                state.queue().live().setPosition(id, 100L + index);
                live.add(id);
            } else {
                MessageId settled = live.remove(random.nextInt(live.size()));
                state.apply(new ReplicaRecord.Queued(
                        id, new QueueEvent.Settled(IdRuns.of(settled), QueueEvent.Reason.ACKED)));
            }
            if (random.nextInt(10) == 0) {
                state.commit(new MessageId(3, 1 + random.nextInt(index)), gone -> {}, event -> {});
            }
        }
        return state;
    }

    private ReplicaState restored(ReplicaState state) {
        byte[] bytes = Seams.checkpoint(state);
        ReplicaCheckpoint.Restored restored = new ReplicaCheckpoint.Restored(bytes, 0, bytes.length);
        positions.forEach(restored::stored);
        return restored.state();
    }

    private static void assertAlike(ReplicaState actual, ReplicaState expected, String what) {
        assertThat(actual.queue().live().runs())
                .as(what)
                .isEqualTo(expected.queue().live().runs());
        assertThat(actual.known()).as(what).isEqualTo(expected.known());
        assertThat(actual.end()).as(what).isEqualTo(expected.end());
        assertThat(actual.baseEnd()).as(what).isEqualTo(expected.baseEnd());
        expected.queue().live().forEach(entry -> {
            LiveMessage other = actual.queue().live().get(entry.id());
            assertThat(other).as(what).isNotNull();
            assertThat(other.position()).as(what).isEqualTo(entry.position());
            assertThat(other.bodyBytes()).as(what).isEqualTo(entry.bodyBytes());
            assertThat(other.isRedelivered()).as(what).isEqualTo(entry.isRedelivered());
        });
    }

    @Test
    void aRestoredStateIsTheSameAndCanBeTakenBackAsFar() {
        long seed = System.nanoTime();
        System.out.println("ReplicaCheckpointTest seed " + seed);
        for (int round = 0; round < 500; round++) {
            Random random = new Random(seed + round);
            positions.clear();
            ReplicaState state = state(random);
            ReplicaState other = restored(state);
            String what = "seed " + (seed + round);
            assertAlike(other, state, what);

            long from = state.baseEnd().index();
            MessageId point =
                    new MessageId(3, from + random.nextInt((int) (state.end().index() - from) + 1));
            state.truncate(point, gone -> {});
            other.truncate(point, gone -> {});
            assertAlike(other, state, what + " truncated to " + point);
        }
    }

    @Test
    void aMessageWithoutRecordIsNoticed() {
        ReplicaState state = new ReplicaState(true);
        state.apply(new ReplicaRecord.Queued(
                new MessageId(3, 1),
                new QueueEvent.Published(new Message("", "", HEADER, HEADER, true), null, 0, false)));
        byte[] bytes = Seams.checkpoint(state);
        ReplicaCheckpoint.Restored restored = new ReplicaCheckpoint.Restored(bytes, 0, bytes.length);
        assertThat(restored.stored(new MessageId(3, 2), 7)).isFalse();
        assertThat(restored.state().queue().live().get(new MessageId(3, 1)).position())
                .isEqualTo(LiveMessage.NO_POSITION);
    }

    @Test
    void damagedBytesAreRefused() {
        Random random = new Random(4);
        byte[] whole = Seams.checkpoint(state(random));
        for (int length = 0; length < whole.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> new ReplicaCheckpoint.Restored(whole, 0, cut))
                    .isInstanceOf(CodecException.class);
        }
    }
}
