package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.IdRuns;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OriginCoreTest {
    private static final ChannelKey CHANNEL = new ChannelKey(1, 1, 1);
    private static final Message MESSAGE = new Message("x", "q", new byte[2], new byte[1], true);

    private final List<String> log = new ArrayList<>();
    private final OriginCore origin = new OriginCore(CHANNEL, 100, new OriginOutput() {
        @Override
        public void send(int leader, OriginMessage.ToLeader message) {
            if (message instanceof OriginMessage.Publish publish) {
                log.add(leader + ":" + publish.number() + (publish.firstEpoch() != 0 ? "!" : "") + " floor "
                        + publish.floor());
            } else {
                log.add(leader + ":" + message.getClass().getSimpleName() + message.session());
            }
        }

        @Override
        public void answered(long number, boolean isConfirmed) {
            log.add((isConfirmed ? "ack " : "nack ") + number);
        }

        @Override
        public void finished() {
            log.add("finished");
        }
    });

    private void answer(long from, long to, boolean isConfirmed) {
        origin.received(new OriginMessage.Answered(CHANNEL, from, to, isConfirmed));
    }

    private List<String> taken() {
        List<String> all = List.copyOf(log);
        log.clear();
        return all;
    }

    @Test
    void everyNewLeaderGetsAllThatIsUnansweredInOrder() {
        origin.publish(1, MESSAGE, 0);
        origin.leader(2, 7, 1);
        origin.publish(3, MESSAGE, 0);
        origin.publish(4, MESSAGE, 0);
        assertThat(taken()).containsExactly("2:Open1", "2:1 floor 1", "2:3 floor 1", "2:4 floor 1");
        answer(1, 1, true);
        origin.leader(3, 8, 1);
        assertThat(taken()).containsExactly("ack 1", "3:Open2", "3:3! floor 3", "3:4! floor 3");
    }

    @Test
    void acksOfATransactionGoToEveryNewLeaderUntilTheyAreAnswered() {
        origin.leader(2, 7, 1);
        origin.publish(1, MESSAGE, 0);
        origin.settle(2, IdRuns.range(7, 1, 3), 0);
        origin.publish(3, MESSAGE, 0);
        assertThat(taken()).containsExactly("2:Open1", "2:1 floor 1", "2:Settle1", "2:3 floor 1");
        answer(1, 1, true);
        origin.leader(3, 8, 1);
        assertThat(taken()).containsExactly("ack 1", "3:Open2", "3:Settle2", "3:3! floor 2");
        answer(2, 3, true);
        assertThat(taken()).containsExactly("ack 2", "ack 3");
        origin.settle(4, IdRuns.EMPTY, 0);
        origin.tick(100);
        assertThat(taken()).containsExactly("3:Settle2", "nack 4");
    }

    @Test
    void aNewConnectionOrARefusalBeginsAnotherSession() {
        origin.publish(1, MESSAGE, 0);
        origin.leader(2, 7, 1);
        origin.leader(2, 7, 1);
        assertThat(taken()).hasSize(2);
        origin.leader(2, 7, 2);
        assertThat(taken()).containsExactly("2:Open2", "2:1! floor 1");
        origin.received(new OriginMessage.NotLeader(CHANNEL, 7, 1));
        origin.retry();
        assertThat(taken()).as("a refusal of an older session").isEmpty();
        origin.received(new OriginMessage.NotLeader(CHANNEL, 7, 2));
        origin.publish(2, MESSAGE, 0);
        assertThat(taken()).as("nothing is sent without a session").isEmpty();
        origin.retry();
        assertThat(taken()).containsExactly("2:Open3", "2:1! floor 1", "2:2 floor 1");
    }

    @Test
    void onlyWhatWasNotAnsweredIsAnswered() {
        origin.leader(2, 7, 1);
        for (int number = 1; number <= 40; number++) {
            origin.publish(number, MESSAGE, 0);
        }
        taken();
        answer(3, 3, false);
        answer(1, 4, true);
        answer(2, 3, true);
        assertThat(taken()).containsExactly("nack 3", "ack 1", "ack 2", "ack 4");
        assertThat(origin.unanswered()).isEqualTo(36);
    }

    @Test
    void whatWaitsTooLongIsRefusedAndForgotten() {
        origin.publish(1, MESSAGE, 0);
        origin.publish(2, MESSAGE, 50);
        origin.tick(99);
        assertThat(taken()).isEmpty();
        origin.tick(100);
        assertThat(taken()).containsExactly("nack 1");
        origin.leader(2, 7, 1);
        assertThat(taken()).containsExactly("2:Open1", "2:2 floor 2");
    }

    @Test
    void aDeletedQueueTakesEverything() {
        origin.leader(2, 7, 1);
        origin.publish(1, MESSAGE, 0);
        taken();
        origin.deleted();
        origin.publish(2, MESSAGE, 0);
        assertThat(taken()).containsExactly("ack 1", "ack 2");
    }

    @Test
    void theEndOfAChannelIsToldWhenAllIsAnswered() {
        origin.leader(2, 7, 1);
        origin.publish(1, MESSAGE, 0);
        origin.close();
        taken();
        answer(1, 1, true);
        assertThat(taken()).containsExactly("ack 1", "2:Close1");
        origin.leader(3, 8, 1);
        assertThat(taken()).as("the next leader may not have heard").containsExactly("3:Open2", "3:Close2");
        answer(2, 2, true);
        assertThat(taken()).containsExactly("finished");
    }
}
