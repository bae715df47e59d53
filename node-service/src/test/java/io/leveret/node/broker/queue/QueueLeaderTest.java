package io.leveret.node.broker.queue;

import static io.leveret.node.broker.queue.LeaderFixture.message;
import static io.leveret.node.broker.queue.LeaderFixture.options;
import static io.leveret.node.broker.queue.LeaderFixture.passive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LeaderFixture.Client;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.runtime.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class QueueLeaderTest {
    private final LeaderFixture queue = new LeaderFixture();

    @Test
    void deliversInOrderAndSettlesOnceABatch() {
        Client client = queue.consume(0);
        queue.publish("a", "b", "c");
        assertThat(client.got).containsExactly("1:a", "2:b", "3:c");
        queue.inside(() -> {
            client.subscription.settle(1, 1, Settlement.ACK);
            client.subscription.settle(3, 3, Settlement.ACK);
            client.subscription.settle(2, 2, Settlement.ACK);
        });
        assertThat(queue.events).containsExactly("Settled[ids=[2/1..3], why=ACKED]");
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void consumersTakeTurns() {
        Client one = queue.consume(0);
        Client two = queue.consume(0);
        Client three = queue.consume(0);
        queue.publish("a", "b", "c", "d");
        queue.publish("e");
        assertThat(one.got).containsExactly("1:a", "2:d");
        assertThat(two.got).containsExactly("1:b", "2:e");
        assertThat(three.got).containsExactly("1:c");
    }

    @Test
    void prefetchIsACeilingThatSettlingLifts() {
        Client client = queue.consume(2);
        queue.publish("a", "b", "c", "d");
        assertThat(client.got).containsExactly("1:a", "2:b");
        queue.inside(() -> client.subscription.settle(2, 2, Settlement.ACK));
        assertThat(client.got).endsWith("3:c").hasSize(3);
        queue.inside(() -> client.subscription.settle(1, 3, Settlement.REJECT));
        assertThat(client.got).endsWith("4:d").hasSize(4);
        assertThat(queue.events.get(1)).contains("REJECTED").contains("[2/1 2/3]");
    }

    @Test
    void requeuedMessagesComeBackAtTheirPlaceFlagged() {
        Client client = queue.consume(3);
        queue.publish("a", "b", "c", "d");
        queue.inside(() -> client.subscription.settle(2, 3, Settlement.REQUEUE));
        assertThat(client.got).containsExactly("1:a", "2:b", "3:c", "4:b!", "5:c!");
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.ACK));
        assertThat(client.got).endsWith("6:d");
        assertThat(queue.events).hasSize(1);
    }

    @Test
    void whatIsGivenBackIsNotFlagged() {
        Client client = queue.consume(0);
        Client other = queue.consume(1);
        client.onDelivery = number -> {
            client.subscription.pause();
            client.subscription.giveBack(number);
        };
        queue.publish("a", "b");
        assertThat(client.got).containsExactly("1:a");
        assertThat(other.got).containsExactly("1:a");
        client.onDelivery = null;
        queue.inside(() -> client.subscription.resume());
        assertThat(client.got).containsExactly("1:a", "2:b");
    }

    @Test
    void aPausedConsumerGetsNothingAndTheOthersAll() {
        Client one = queue.consume(0);
        Client two = queue.consume(0);
        queue.inside(() -> one.subscription.pause());
        queue.publish("a", "b");
        assertThat(one.got).isEmpty();
        assertThat(two.got).hasSize(2);
        queue.inside(() -> one.subscription.resume());
        queue.publish("c", "d");
        assertThat(one.got).containsExactly("1:d");
    }

    @Test
    void aFullSocketIsLeftAloneUntilItResumes() {
        Client client = queue.consume(0);
        client.isWritable = false;
        queue.publish("a");
        assertThat(client.got).isEmpty();
        client.isWritable = true;
        queue.inside(() -> client.subscription.resume());
        assertThat(client.got).containsExactly("1:a");
    }

    @Test
    void higherPriorityConsumersComeFirst() {
        Client low = queue.consume(0);
        Client high = queue.client(
                new SubscriptionOptions("id", "tag", false, false, 2, false, Map.of("x-priority", 10)), queue.loop);
        queue.publish("a", "b", "c");
        assertThat(high.got).containsExactly("1:a", "2:b");
        assertThat(low.got).containsExactly("1:c");
        queue.inside(() -> high.subscription.settle(1, 2, Settlement.ACK));
        queue.publish("d");
        assertThat(high.got).endsWith("3:d");
    }

    @Test
    void exclusiveUseExcludes() {
        SubscriptionOptions exclusive = new SubscriptionOptions("id", "tag", false, true, 0, false, Map.of());
        Client client = queue.client(exclusive, queue.loop);
        assertThatThrownBy(() -> queue.consume(0)).isInstanceOf(SubscriptionRefusedException.class);
        queue.client(passive(true), queue.loop);
        queue.inside(() -> client.subscription.cancel());
        queue.consume(0);
        assertThatThrownBy(() -> queue.client(exclusive, queue.loop)).isInstanceOf(SubscriptionRefusedException.class);
    }

    @Test
    void noAckDeliveriesAreSettledWhenSent() {
        Client client = queue.client(options(1, true), queue.loop);
        queue.publish("a", "b", "c");
        assertThat(client.got).containsExactly("1:a", "2:b", "3:c");
        assertThat(queue.events).containsExactly("Settled[ids=[2/1..3], why=ACKED]");
        queue.inside(() -> client.subscription.close());
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void getTakesOneAndTellsWhatIsLeft() {
        queue.publish("a", "b");
        Client client = queue.client(passive(false), queue.farLoop);
        assertThat(client.got).isEmpty();
        assertThat(get(client)).isEqualTo(1);
        assertThat(get(client)).isEqualTo(0);
        assertThat(get(client)).isEqualTo(-1);
        assertThat(client.got).containsExactly("1:a", "2:b");
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.REQUEUE));
        assertThat(get(client)).isEqualTo(0);
        assertThat(client.got).endsWith("3:a!");
    }

    private long get(Client client) {
        List<Long> answers = new ArrayList<>();
        int before = client.got.size();
        queue.inside(() -> {
            CompletionStage<Long> stage = queue.leader.get(client.subscription);
            stage.thenAccept(left -> {
                client.executor.assertInside();
                assertThat(client.got).hasSize(left < 0 ? before : before + 1);
                answers.add(left);
            });
        });
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    @Test
    void cancelledConsumersMayStillSettleAndClosedOnesRequeue() {
        Client client = queue.consume(0);
        queue.publish("a", "b");
        queue.inside(() -> client.subscription.cancel());
        assertThat(queue.consumersLeft).isEqualTo(1);
        queue.publish("c");
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.ACK));
        assertThat(queue.state.live().count()).isEqualTo(2);
        queue.inside(() -> client.subscription.close());
        assertThat(queue.consumersLeft).isEqualTo(1);
        Client next = queue.consume(0);
        assertThat(next.got).containsExactly("1:b!", "2:c");
        queue.inside(() -> client.subscription.settle(2, 2, Settlement.ACK));
        assertThat(queue.state.live().count()).isEqualTo(2);
    }

    @Test
    void inheritedMessagesAreRedelivered() {
        LeaderFixture inherited = new LeaderFixture(QueueSettings.NONE, Long.MAX_VALUE, 2);
        inherited.publish("new");
        Client client = inherited.consume(0);
        assertThat(client.got).containsExactly("1:old1!", "2:old2!", "3:new");
    }

    @Test
    void aMergedMessageIsDeliveredAtItsOldPlace() {
        queue.publish("a", "b");
        Client client = queue.consume(1);
        queue.inside(() -> {
            MessageId id = new MessageId(1, 7);
            LiveMessage entry = LiveMessage.of(id, new QueueEvent.Published(message("old"), null, 0, false));
            queue.state.live().add(entry.redelivered());
            queue.leader.merged(id);
            client.subscription.settle(1, 1, Settlement.ACK);
        });
        assertThat(client.got).containsExactly("1:a", "2:old!");
    }

    @Test
    void purgeLeavesWhatIsOut() {
        Client client = queue.consume(1);
        queue.publish("a", "b", "c");
        queue.inside(() -> assertThat(queue.leader.purge()).isEqualTo(2));
        assertThat(queue.events).containsExactly("Purged[ids=[2/2..3]]");
        queue.inside(() -> assertThat(queue.leader.counts()).isEqualTo(new QueueCounts(0, 1, 1)));
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.REQUEUE));
        assertThat(client.got).containsExactly("1:a", "2:a!");
    }

    @Test
    void dropHeadDropsTheOldestReady() {
        queue.configure(Map.of("x-max-length", 2));
        Client client = queue.consume(1);
        queue.publish("a", "b", "c", "d");
        assertThat(queue.events).containsExactly("Settled[ids=[2/2], why=OVERFLOW]");
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.ACK));
        assertThat(client.got).containsExactly("1:a", "2:c");
    }

    @Test
    void rejectPublishRefusesWhatDoesNotFit() {
        queue.configure(Map.of("x-max-length-bytes", 5, "x-overflow", "reject-publish"));
        queue.inside(() -> {
            assertThat(queue.leader.publish(message("abc"), null, 0, false)).isNotNull();
            assertThat(queue.leader.publish(message("abc"), null, 0, false)).isNull();
            assertThat(queue.leader.publish(message("de"), null, 0, false)).isNotNull();
        });
        Client client = queue.consume(0);
        queue.inside(() -> {
            assertThat(queue.leader.publish(message("fghij"), null, 0, false)).isNotNull();
            assertThat(queue.leader.publish(message("klmno"), null, 0, false)).isNotNull();
        });
        assertThat(client.got).containsExactly("1:abc", "2:de", "3:fghij", "4:klmno");
    }

    @Test
    void theSingleActiveConsumerIsFollowedByTheNext() {
        queue.configure(Map.of("x-single-active-consumer", true));
        Client one = queue.consume(1);
        Client two = queue.consume(1);
        queue.publish("a", "b");
        assertThat(one.got).containsExactly("1:a");
        assertThat(two.got).isEmpty();
        queue.inside(() -> one.subscription.close());
        assertThat(two.got).containsExactly("1:a!");
    }

    @Test
    void theSingleActiveConsumerStaysAndTheHighestPriorityFollowsIt() {
        queue.configure(Map.of("x-single-active-consumer", true));
        Client active = queue.consume(1);
        Client low = queue.consume(1);
        SubscriptionOptions preferred =
                new SubscriptionOptions("id", "tag", false, false, 1, false, Map.of("x-priority", 5));
        Client high = queue.client(preferred, queue.loop);
        Client later = queue.client(preferred, queue.loop);
        queue.inside(() -> low.subscription.close());
        queue.publish("a", "b");
        assertThat(active.got).containsExactly("1:a");
        queue.inside(() -> active.subscription.cancel());
        assertThat(high.got).as("what is out stays with whom it was given to").containsExactly("1:b");
        assertThat(later.got).isEmpty();
        queue.inside(() -> active.subscription.settle(1, 1, Settlement.ACK));
        queue.inside(() -> high.subscription.close());
        assertThat(later.got).containsExactly("1:b!");
    }

    @Test
    void aFarSubscriberGetsBatchesAndIsNotFlooded() {
        LeaderFixture far = new LeaderFixture();
        Client client = new Client(far.farLoop);
        far.loop.inside(() -> client.subscription = far.leader.subscribe(client, options(0, false)));
        int count = 4 * SubscriptionState.FLYING_MAX;
        far.loop.inside(() -> {
            for (int i = 0; i < count; i++) {
                far.leader.publish(message("m" + i), null, 0, false);
            }
        });
        far.loop.runAll();
        assertThat(far.farLoop.waiting())
                .as("a batch a turn")
                .isEqualTo(SubscriptionState.FLYING_MAX / QueueLeader.TURN_DELIVERIES_MAX);
        assertThat(far.state.live().readyCount()).isEqualTo(count - SubscriptionState.FLYING_MAX);
        far.farLoop.runAll();
        assertThat(client.got).hasSize(SubscriptionState.FLYING_MAX);
        ManualExecutor.settle(far.loop, far.farLoop);
        assertThat(client.got).hasSize(count).endsWith(count + ":m" + (count - 1));
    }

    @Test
    void aFarSubscriberIsBoundByBytes() {
        Client client = new Client(queue.farLoop);
        queue.loop.inside(() -> client.subscription = queue.leader.subscribe(client, options(0, false)));
        String large = "x".repeat((int) SubscriptionState.FLYING_BYTES_MAX / 4);
        queue.loop.inside(() -> {
            for (int i = 0; i < 12; i++) {
                queue.leader.publish(message(large), null, 0, false);
            }
        });
        queue.loop.runAll();
        queue.farLoop.runAll();
        assertThat(client.got).hasSize(4);
        ManualExecutor.settle(queue.loop, queue.farLoop);
        assertThat(client.got).hasSize(12);
    }

    @Test
    void aTurnEndsSoThatOthersGetTheirs() {
        Client client = new Client(queue.loop);
        client.onDelivery = number -> client.subscription.settle(number, number, Settlement.ACK);
        for (int i = 0; i < 3 * QueueLeader.TURN_DELIVERIES_MAX; i++) {
            queue.publish("m");
        }
        queue.loop.inside(() -> client.subscription = queue.leader.subscribe(client, options(10, false)));
        assertThat(client.got).hasSize(QueueLeader.TURN_DELIVERIES_MAX);
        assertThat(queue.loop.waiting()).isEqualTo(1);
        queue.loop.runAll();
        assertThat(client.got).hasSize(3 * QueueLeader.TURN_DELIVERIES_MAX);
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void aLeadershipEndsWithoutAWord() {
        Client client = queue.consume(1);
        Client getter = queue.client(passive(false), queue.loop);
        queue.publish("a", "b");
        queue.inside(() -> queue.leader.pause());
        List<Throwable> failures = new ArrayList<>();
        queue.inside(() -> queue.leader.get(getter.subscription).whenComplete((left, e) -> failures.add(e)));
        queue.inside(() -> queue.leader.close());
        assertThat(failures).hasSize(1).first().isInstanceOf(QueueUnavailableException.class);
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.ACK));
        queue.inside(() -> client.subscription.close());
        assertThat(client.got).containsExactly("1:a");
        assertThat(queue.events).isEmpty();
        assertThat(queue.consumersLeft).isZero();
        assertThat(queue.state.live().readyCount()).isEqualTo(2);
    }

    @Test
    void deletionTellsTheConsumers() {
        Client near = queue.consume(0);
        Client far = queue.client(options(0, false), queue.farLoop);
        queue.inside(() -> queue.leader.delete());
        assertThat(near.got).containsExactly("QUEUE_DELETED");
        assertThat(far.got).containsExactly("QUEUE_DELETED");
    }

    @Test
    void aDoubtfulLeaderDeliversNothing() {
        Client client = queue.consume(0);
        queue.inside(() -> queue.leader.pause());
        queue.publish("a");
        assertThat(client.got).isEmpty();
        queue.inside(() -> queue.leader.resume());
        assertThat(client.got).containsExactly("1:a");
    }

    @Test
    void figuresAreThoseOfTheLeadership() {
        Client client = queue.consume(1);
        queue.publish("a", "bb");
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.REQUEUE));
        queue.inside(() -> client.subscription.settle(2, 2, Settlement.ACK));
        queue.inside(() -> {
            QueueStatistics figures = queue.leader.statistics();
            assertThat(figures.published()).isEqualTo(2);
            assertThat(figures.delivered()).isEqualTo(3);
            assertThat(figures.redelivered()).isEqualTo(1);
            assertThat(figures.acked()).isEqualTo(1);
            assertThat(figures.ready()).isZero();
            assertThat(figures.unacked()).isEqualTo(1);
            assertThat(figures.unackedBytes()).isEqualTo(2);
            assertThat(figures.consumers()).hasSize(1);
        });
    }
}
