package io.leveret.node.broker.queue;

import static io.leveret.node.broker.queue.LeaderFixture.options;
import static io.leveret.node.broker.queue.LeaderFixture.passive;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.queue.LeaderFixture.Client;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueExpiryTest {
    private static final int EXPIRES_MILLIS = 1000;

    private final LeaderFixture queue =
            new LeaderFixture(QueueSettings.of(Map.of("x-expires", EXPIRES_MILLIS), Map.of()), Long.MAX_VALUE, 0);

    QueueExpiryTest() {
        queue.inside(queue.leader::start);
    }

    private void expectExpiryIn(int millis) {
        queue.loop.advanceMillis(millis - 1);
        assertThat(queue.expired).isZero();
        queue.loop.advanceMillis(1);
        assertThat(queue.expired).isEqualTo(1);
    }

    @Test
    void publishingIsNoUse() {
        queue.loop.advanceMillis(700);
        queue.publish("a");
        expectExpiryIn(300);
    }

    @Test
    void aGetAndADeclarationAreUses() {
        Client client = queue.client(passive(true), queue.loop);
        queue.loop.advanceMillis(900);
        queue.inside(() -> queue.leader.get(client.subscription));
        queue.loop.advanceMillis(900);
        queue.inside(() -> queue.leader.counts());
        queue.loop.advanceMillis(900);
        queue.inside(() -> queue.leader.statistics());
        expectExpiryIn(100);
    }

    @Test
    void itDoesNotExpireWhileThereIsAConsumerAndStartsAnewAfterTheLast() {
        queue.loop.advanceMillis(900);
        Client one = queue.consume(0);
        Client two = queue.client(options(0, true), queue.farLoop);
        queue.loop.advanceMillis(5000);
        queue.inside(() -> one.subscription.cancel());
        queue.loop.advanceMillis(5000);
        assertThat(queue.expired).isZero();
        queue.inside(() -> two.subscription.close());
        expectExpiryIn(EXPIRES_MILLIS);
    }

    @Test
    void itIsToldAgainUntilSomebodyUsesTheQueue() {
        expectExpiryIn(EXPIRES_MILLIS);
        queue.loop.advanceMillis(1000);
        assertThat(queue.expired).isEqualTo(2);
        queue.consume(0);
        queue.loop.advanceMillis(10_000);
        assertThat(queue.expired).isEqualTo(2);
    }

    @Test
    void aPolicyStartsAndEndsIt() {
        queue.configure(Map.of());
        queue.loop.advanceMillis(10_000);
        assertThat(queue.expired).isZero();
        queue.configure(Map.of("x-expires", 500));
        queue.loop.advanceMillis(400);
        queue.configure(Map.of("x-expires", 500, "x-max-length", 1));
        expectExpiryIn(100);
    }

    @Test
    void aPausedLeaderDoesNotCountAndStartsAnew() {
        queue.loop.advanceMillis(900);
        queue.inside(queue.leader::pause);
        queue.inside(() -> queue.leader.counts());
        queue.loop.advanceMillis(10_000);
        assertThat(queue.expired).isZero();
        queue.inside(queue.leader::resume);
        expectExpiryIn(EXPIRES_MILLIS);
    }

    @Test
    void aDeposedLeaderSaysNothing() {
        queue.inside(queue.leader::close);
        queue.loop.advanceMillis(10_000);
        assertThat(queue.expired).isZero();
    }
}
