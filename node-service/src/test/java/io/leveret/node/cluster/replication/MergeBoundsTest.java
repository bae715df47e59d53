package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a replica reads into memory at once when the leader merges its messages back. */
class MergeBoundsTest {
    private static final int LEADER = 1;
    private static final int HALF = (int) (Reconciliation.WANTED_BYTES_MAX / 2);

    private final ReplicaState state = new ReplicaState(true);
    private final Merged output = new Merged();

    private static final class Merged implements ReplicaOutput {
        final List<List<MessageId>> reads = new ArrayList<>();
        RunSet covered = new RunSet();

        @Override
        public void append(ReplicaRecord record) {}

        @Override
        public void released(LiveMessage entry) {}

        @Override
        public void send(int node, ReplicaMessage message) {}

        @Override
        public void readForMerge(ReplicaMessage.SessionId session, RunSet part, List<LiveMessage> wanted) {
            reads.add(wanted.stream().map(LiveMessage::id).toList());
            covered = part;
        }
    }

    @Test
    void bodiesOfAMegabyteAreBroughtAtOnceAndTheRestLater() {
        for (int i = 1; i <= 5; i++) {
            Message message = new Message("", "q", new byte[0], new byte[HALF], true);
            Origin origin = new Origin(1, 1, 1, i);
            state.apply(new ReplicaRecord.Queued(
                    new MessageId(1, i), new QueueEvent.Published(message.withOrigin(origin), origin, i, false)));
        }
        ReplicaCore replica = new ReplicaCore(2, 7, 1, 0, state, output);
        replica.placement(new ReplicaSet(1, 2, LEADER, 1, true, 0, List.of(), Map.of()));
        replica.connected(LEADER);
        replica.tick();
        ReplicaMessage.SessionId session = new ReplicaMessage.SessionId(7, 1, replica.hello());
        replica.received(LEADER, new ReplicaMessage.Survey(2, session, new MessageId(2, 0)));
        RunSet wanted = new RunSet();
        for (int i = 1; i <= 5; i++) {
            wanted.add(new MessageId(1, i));
        }

        replica.received(LEADER, new ReplicaMessage.Want(2, session, new MessageId(1, 5), wanted));

        assertThat(output.reads).containsExactly(List.of(new MessageId(1, 1), new MessageId(1, 2)));
        assertThat(output.covered.last()).isEqualTo(new MessageId(1, 2));
    }
}
