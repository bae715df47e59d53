package io.leveret.node.broker.queue;

import static io.leveret.node.broker.queue.LeaderFixture.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LeaderFixture.Client;
import io.leveret.node.broker.queue.Subscription.Settlement;
import org.junit.jupiter.api.Test;

class PagingTest {
    private static final int KILOBYTE = 1024;

    private static String body(int number) {
        return number + "x".repeat(KILOBYTE - Integer.toString(number).length());
    }

    private static LeaderFixture filled(long budgetBytes, int count) {
        LeaderFixture queue = new LeaderFixture(QueueSettings.NONE, budgetBytes, 0);
        for (int i = 0; i < count; i++) {
            queue.publish(body(i));
            if (i % 100 == 99) {
                queue.loop.inside(queue::fsync);
            }
        }
        queue.loop.inside(queue::fsync);
        return queue;
    }

    @Test
    void aLongQueueHoldsItsShareInMemoryAndIsDeliveredInOrder() {
        long budget = 2_000_000;
        LeaderFixture queue = filled(budget, 20_000);
        assertThat(queue.state.live().residentBytes())
                .isLessThanOrEqualTo(budget)
                .isGreaterThan(budget / 4);
        assertThat(queue.budget.bytes()).isEqualTo(queue.state.live().residentBytes());
        long[] most = {0};
        Client client = new Client(queue.loop);
        client.onDelivery = number -> {
            most[0] = Math.max(most[0], queue.state.live().residentBytes());
            String got = client.got.get((int) (number - 1));
            assertThat(got).startsWith(number + ":" + (number - 1) + "x");
            client.subscription.settle(number, number, Settlement.ACK);
        };
        queue.loop.inside(() -> client.subscription = queue.leader.subscribe(client, options(100, false)));
        for (int i = 0; i < 2000 && client.got.size() < 20_000; i++) {
            queue.loop.advanceMillis(1);
            queue.loop.inside(queue::fsync);
        }
        assertThat(client.got).hasSize(20_000);
        assertThat(most[0]).isLessThanOrEqualTo(budget + ReadAhead.BYTES_MAX);
        assertThat(queue.bodiesReadMax).isBetween(ReadAhead.MESSAGES_MAX / 2, ReadAhead.MESSAGES_MAX);
        assertThat(queue.state.live().residentCount()).isZero();
    }

    @Test
    void readingAheadGoesOnWhileDeliveriesDo() {
        LeaderFixture queue = filled(0, 4 * ReadAhead.MESSAGES_MAX + 2000);
        Client client = queue.client(options(10, false), queue.loop);
        int delivered = 0;
        int idle = 0;
        for (int i = 0; i < 3000 && delivered < 1000; i++) {
            int before = client.got.size();
            queue.inside(() -> client.subscription.settle(1, Long.MAX_VALUE, Settlement.ACK));
            idle += client.got.size() == before ? 1 : 0;
            delivered = client.got.size();
            queue.loop.advanceMillis(1);
        }
        assertThat(delivered).isGreaterThanOrEqualTo(1000);
        assertThat(idle).as("rounds without a delivery, after the first read").isLessThan(6);
    }

    @Test
    void nobodyWhoWantsDeliveriesMeansNoReads() {
        LeaderFixture queue = filled(0, 1000);
        queue.loop.advanceMillis(100);
        assertThat(queue.reads).isZero();
    }

    @Test
    void oneReadAtATime() {
        LeaderFixture queue = filled(0, 5000);
        Client one = queue.client(options(5, false), queue.loop);
        Client two = queue.client(options(5, false), queue.loop);
        queue.inside(() -> queue.leader.get(queue.client(LeaderFixture.passive(true), queue.loop).subscription));
        assertThat(queue.reads).isEqualTo(1);
        queue.loop.advanceMillis(10);
        assertThat(one.got.size() + two.got.size()).isEqualTo(10);
        assertThat(queue.state.live().residentCount()).isLessThanOrEqualTo(2 * ReadAhead.MESSAGES_MAX);
    }

    @Test
    void getWaitsForItsBody() {
        LeaderFixture queue = filled(0, 1000);
        queue.detachAll();
        Client client = queue.client(LeaderFixture.passive(false), queue.loop);
        long[] left = {-2};
        queue.inside(() -> queue.leader.get(client.subscription).thenAccept(answer -> left[0] = answer));
        assertThat(client.got).isEmpty();
        queue.loop.advanceMillis(10);
        assertThat(client.got).hasSize(1);
        assertThat(left[0]).isEqualTo(999);
    }

    @Test
    void aBodyThatMovedWhileItWasReadIsAskedForAgain() {
        LeaderFixture queue = filled(0, 600);
        queue.detachAll();
        MessageId first = new MessageId(2, 1);
        LiveMessage entry = queue.state.live().get(first);
        assertThat(entry).isNotNull();
        assertThat(entry.message()).isNull();
        Message message = queue.disk.remove(entry.position());
        Client client = new Client(queue.loop);
        queue.loop.inside(() -> client.subscription = queue.leader.subscribe(client, options(0, false)));
        queue.disk.put(1_000_000L, message);
        queue.state.live().setPosition(first, 1_000_000L);
        queue.loop.advanceMillis(20);
        assertThat(client.got).hasSize(600);
        assertThat(client.got.get(0)).startsWith("1:0x");
    }

    @Test
    void messagesThatAreOutLeaveMemoryTooAndComeBackWhenRequeued() {
        LeaderFixture queue = new LeaderFixture(QueueSettings.NONE, 0, 0);
        Client client = queue.consume(0);
        for (int i = 0; i < 1000; i++) {
            queue.publish(body(i));
        }
        assertThat(client.got).hasSize(1000);
        queue.loop.inside(queue::fsync);
        queue.loop.inside(queue::fsync);
        assertThat(queue.state.live().residentBytes()).isLessThanOrEqualTo(MemoryBudget.QUEUE_BYTES_MIN);
        queue.inside(() -> client.subscription.close());
        Client next = queue.consume(0);
        queue.loop.advanceMillis(50);
        assertThat(next.got).hasSize(1000);
        assertThat(next.got.get(999)).startsWith("1000:999x").endsWith("!");
    }

    @Test
    void aLazyQueueKeepsNextToNothing() {
        LeaderFixture queue = new LeaderFixture(QueueSettings.NONE, Long.MAX_VALUE, 0);
        queue.bodies.setLazy(true);
        for (int i = 0; i < 3000; i++) {
            queue.publish(body(i));
        }
        queue.loop.inside(queue::fsync);
        assertThat(queue.state.live().residentBytes()).isLessThanOrEqualTo(128 * KILOBYTE);
    }

    @Test
    void whatIsOnNoDiskStaysAndIsOfferedToTheJournal() {
        LiveMessages live = new LiveMessages();
        MemoryBudget budget = new MemoryBudget(0);
        ResidentBodies bodies = new ResidentBodies(live, budget, position -> true);
        for (int i = 1; i <= 1000; i++) {
            live.add(LiveMessage.of(
                    new MessageId(1, i), new QueueEvent.Published(LeaderFixture.message(body(i)), null, 0, false)));
        }
        bodies.trim();
        assertThat(live.residentCount()).isEqualTo(1000);
        assertThat(bodies.isOver()).isTrue();
        int offered = 0;
        while (offered < 1000) {
            var unplaced = bodies.unplaced(100_000);
            assertThat(unplaced).isNotEmpty();
            unplaced.forEach(entry -> live.setPosition(entry.id(), entry.id().index()));
            offered += unplaced.size();
        }
        for (int i = 0; i < 200; i++) {
            bodies.trim();
        }
        assertThat(live.residentBytes()).isLessThanOrEqualTo(MemoryBudget.QUEUE_BYTES_MIN);
        bodies.close();
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void queuesShareTheBudget() {
        MemoryBudget budget = new MemoryBudget(100_000_000);
        budget.changed(0, 40_000_000);
        assertThat(budget.queueBytesMax()).isEqualTo(Long.MAX_VALUE);
        budget.changed(0, 20_000_000);
        assertThat(budget.queueBytesMax()).isEqualTo(25_000_000);
        budget.changed(40_000_000, 1000);
        assertThat(budget.queueBytesMax()).isEqualTo(Long.MAX_VALUE);
    }
}
