package io.leveret.node.broker.queue;

import static io.leveret.node.broker.queue.LeaderFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.LeaderFixture.Client;
import io.leveret.node.broker.queue.QueueSettings.Overflow;
import io.leveret.node.broker.queue.Subscription.Settlement;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeparturesTest {
    private final LeaderFixture queue = new LeaderFixture();

    /** A message with an expiration (flag bit 8), as its header has it. */
    private static Message expiring(String text, String millis) {
        byte[] digits = millis.getBytes(StandardCharsets.UTF_8);
        byte[] header = new byte[3 + digits.length];
        header[0] = 1;
        header[2] = (byte) digits.length;
        System.arraycopy(digits, 0, header, 3, digits.length);
        return new Message("", "q", header, text.getBytes(StandardCharsets.UTF_8), false);
    }

    /** A message with a priority (flag bit 11). */
    private static Message prior(String text, int priority) {
        byte[] header = {8, 0, (byte) priority};
        return new Message("", "q", header, text.getBytes(StandardCharsets.UTF_8), false);
    }

    private void publish(Message... messages) {
        queue.inside(() -> {
            for (Message each : messages) {
                queue.leader.publish(each, null, 0, false);
            }
        });
    }

    @Test
    void theFirstMessageExpiresAtItsTime() {
        publish(expiring("a", "10"), expiring("b", "30"), message("c"));
        queue.loop.advanceMillis(9);
        assertThat(queue.state.live().count()).isEqualTo(3);
        queue.loop.advanceMillis(2);
        assertThat(queue.events).containsExactly("Settled[ids=[2/1], why=EXPIRED]");
        queue.loop.advanceMillis(20);
        assertThat(queue.events).hasSize(2);
        queue.loop.advanceMillis(10_000);
        assertThat(queue.consume(0).got).containsExactly("1:c");
    }

    @Test
    void whatANewLeaderInheritsExpiresThoughNobodyUsesTheQueue() {
        long deadline = queue.loop.currentTimeMillis() + 10;
        queue.append(new QueueEvent.Published(message("a"), null, 0, false, 0, deadline));
        queue.inside(queue.leader::start);
        assertThat(queue.state.live().count()).isEqualTo(1);
        queue.loop.advanceMillis(20);
        assertThat(queue.events).containsExactly("Settled[ids=[2/1], why=EXPIRED]");
    }

    @Test
    void aShortLifeBehindALongOneEndsWhenItIsFirst() {
        publish(expiring("a", "100"), expiring("b", "10"));
        queue.loop.advanceMillis(50);
        assertThat(queue.state.live().count()).isEqualTo(2);
        queue.loop.advanceMillis(51);
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void theQueuesTimeIsForAllAndTheSoonerCounts() {
        queue.configure(Map.of("x-message-ttl", 20));
        publish(message("a"), expiring("b", "500"));
        queue.loop.advanceMillis(21);
        assertThat(queue.events).containsExactly("Settled[ids=[2/1..2], why=EXPIRED]");
        publish(expiring("c", "5"));
        queue.loop.advanceMillis(6);
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void zeroTimeMeansNowOrNever() {
        publish(expiring("a", "0"));
        assertThat(queue.state.live().count()).isZero();
        Client client = queue.consume(1);
        publish(expiring("b", "0"), expiring("c", "0"));
        assertThat(client.got).containsExactly("1:b");
        assertThat(queue.state.live().count()).isEqualTo(1);
        queue.loop.advanceMillis(5);
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.REQUEUE));
        assertThat(client.got).containsExactly("1:b");
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void whatIsOutDoesNotExpire() {
        Client client = queue.consume(1);
        publish(expiring("a", "10"));
        queue.loop.advanceMillis(100);
        assertThat(queue.events).isEmpty();
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.ACK));
        assertThat(queue.events).containsExactly("Settled[ids=[2/1], why=ACKED]");
    }

    @Test
    void aPausedLeaderExpiresNothing() {
        queue.inside(() -> queue.leader.pause());
        publish(expiring("a", "10"));
        queue.loop.advanceMillis(100);
        assertThat(queue.state.live().count()).isEqualTo(1);
        queue.inside(() -> queue.leader.resume());
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void deadLettersLeaveWhenTheirTargetHasThem() {
        queue.configure(Map.of("x-dead-letter-exchange", "x", "x-max-length", 2));
        Client client = queue.consume(1);
        publish(message("a"), message("b"), message("c"), expiring("d", "10"));
        assertThat(queue.deadLetters).containsExactly("2/2:b OVERFLOW");
        queue.inside(() -> client.subscription.settle(1, 1, Settlement.REJECT));
        queue.inside(() -> client.subscription.pause());
        assertThat(queue.deadLetters).endsWith("2/1:a REJECTED");
        queue.inside(() -> client.subscription.settle(2, 2, Settlement.ACK));
        queue.loop.advanceMillis(11);
        assertThat(queue.deadLetters).endsWith("2/4:d EXPIRED").hasSize(3);
        assertThat(queue.state.live().count()).isEqualTo(3);
        assertThat(queue.state.live().readyCount()).isZero();
        queue.inside(() -> queue.targets.remove().run());
        assertThat(queue.events).endsWith("Settled[ids=[2/2], why=DEAD_LETTERED]");
        queue.inside(() -> {
            while (!queue.targets.isEmpty()) {
                queue.targets.remove().run();
            }
        });
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void deadLettersAreReadBackAndBounded() {
        queue.configure(Map.of("x-dead-letter-exchange", "x", "x-message-ttl", 10));
        for (int i = 0; i < 3000; i++) {
            queue.publish("m" + i);
        }
        queue.loop.inside(queue::fsync);
        queue.detachAll();
        queue.loop.advanceMillis(50);
        assertThat(queue.deadLetters).hasSize(DeadLetters.FLYING_MAX);
        assertThat(queue.state.live().readyCount()).isGreaterThan(1000);
        for (int i = 0; i < 100 && queue.state.live().count() > 0; i++) {
            queue.inside(() -> {
                while (!queue.targets.isEmpty()) {
                    queue.targets.remove().run();
                }
            });
            queue.loop.advanceMillis(5);
        }
        assertThat(queue.state.live().count()).isZero();
        assertThat(queue.deadLetters).hasSize(3000);
        for (int i = 0; i < 3000; i++) {
            assertThat(queue.deadLetters.get(i)).endsWith(":m" + i + " EXPIRED");
        }
    }

    @Test
    void refusedPublishesMayBeDeadLettersToo() {
        queue.configure(Map.of("x-dead-letter-exchange", "x", "x-max-length", 1, "x-overflow", "reject-publish-dlx"));
        publish(message("a"), message("b"));
        assertThat(queue.deadLetters).containsExactly("-:b OVERFLOW");
        assertThat(queue.state.live().count()).isEqualTo(1);
    }

    @Test
    void higherPrioritiesAreDeliveredFirst() {
        queue.configure(Map.of("x-max-priority", 5));
        publish(prior("a", 0), prior("b", 3), message("c"), prior("d", 9), prior("e", 5), prior("f", 3));
        Client client = queue.consume(3);
        assertThat(client.got).containsExactly("1:d", "2:e", "3:b");
        queue.inside(() -> client.subscription.settle(1, 2, Settlement.REQUEUE));
        assertThat(client.got).endsWith("4:d!", "5:e!");
        queue.inside(() -> client.subscription.settle(3, 5, Settlement.ACK));
        assertThat(client.got).endsWith("6:f", "7:a", "8:c");
    }

    @Test
    void prioritiesAreReadBackInTheirOrder() {
        queue.configure(Map.of("x-max-priority", 2));
        for (int i = 0; i < 900; i++) {
            publish(prior("m" + i, i % 3));
        }
        queue.loop.inside(queue::fsync);
        queue.detachAll();
        Client client = queue.consume(0);
        queue.loop.advanceMillis(100);
        assertThat(client.got).hasSize(900).startsWith("1:m2", "2:m5").endsWith("900:m897");
        assertThat(client.got.get(300)).isEqualTo("301:m1");
    }

    @Test
    void withoutMaxPriorityThereIsNone() {
        publish(prior("a", 0), prior("b", 9));
        assertThat(queue.consume(0).got).containsExactly("1:a", "2:b");
    }

    @Test
    void theLowerOfArgumentAndPolicyCounts() {
        QueueSettings settings = QueueSettings.of(
                Map.of("x-max-length", 10, "x-message-ttl", 500L, "x-overflow", "reject-publish", "x-expires", 800),
                Map.of(
                        "max-length",
                        5L,
                        "message-ttl",
                        900L,
                        "overflow",
                        "drop-head",
                        "dead-letter-exchange",
                        "x",
                        "expires",
                        700L));
        assertThat(settings)
                .isEqualTo(new QueueSettings(
                        5, QueueSettings.UNLIMITED, Overflow.REJECT_PUBLISH, false, 0, 500, 700, true, false));
    }

    private static String numbered(String prefix, int number) {
        return prefix + number;
    }

    @Test
    void targetsMayForgetWhatHasLeftWhenThatIsCommitted() {
        queue.configure(Map.of("x-dead-letter-exchange", "dlx"));
        Client client = queue.consume(0);
        queue.publish("a", "b", "c");
        queue.inside(() -> client.subscription.settle(2, 3, Settlement.REJECT));
        queue.inside(() -> queue.targets.remove().run());
        queue.inside(() -> queue.targets.remove().run());
        assertThat(queue.events)
                .containsExactly("Settled[ids=[2/2], why=DEAD_LETTERED]", "Settled[ids=[2/3], why=DEAD_LETTERED]");
        queue.commit(3);
        assertThat(queue.settledLetters).isEmpty();
        queue.commit(4);
        assertThat(queue.settledLetters).containsExactly("[2/2] floor 0/0");
        queue.commit(5);
        assertThat(queue.settledLetters).endsWith("[2/3] floor 2/1");
    }

    @Test
    void whatHasExpiredIsNotDeliveredThoughItsTargetsTakeNothing() {
        queue.configure(Map.of("x-dead-letter-exchange", "dlx", "x-message-ttl", 10));
        String[] texts = new String[DeadLetters.FLYING_MAX + DeadLetters.WAITING_MAX + 50];
        java.util.Arrays.setAll(texts, i -> numbered("m", i));
        queue.publish(texts);
        queue.loop.advanceMillis(100);
        assertThat(queue.deadLetters).hasSize(DeadLetters.FLYING_MAX);
        Client client = queue.consume(0);
        Client getter = queue.client(LeaderFixture.passive(true), queue.loop);
        queue.inside(() -> queue.leader.get(getter.subscription));
        assertThat(client.got).isEmpty();
        assertThat(getter.got).isEmpty();
        queue.inside(() -> assertThat(queue.leader.statistics().deadLettering())
                .isBetween((long) DeadLetters.WAITING_MAX, (long) texts.length));
        while (!queue.targets.isEmpty()) {
            queue.inside(() -> queue.targets.remove().run());
        }
        assertThat(client.got).isEmpty();
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void whatMustNotBeLostIsNotDroppedFasterThanItsTargetsTakeIt() {
        queue.configure(
                Map.of("x-dead-letter-exchange", "dlx", "x-dead-letter-strategy", "at-least-once", "x-max-length", 1));
        String[] texts = new String[DeadLetters.FLYING_MAX + DeadLetters.WAITING_MAX + 1];
        java.util.Arrays.setAll(texts, i -> numbered("m", i));
        queue.publish(texts);
        queue.publish("more");
        long before = queue.state.live().count();
        queue.inside(() -> assertThat(queue.leader.publish(message("refused"), null, 0, false))
                .isNull());
        assertThat(queue.state.live().count()).isEqualTo(before);
        queue.configure(Map.of("x-dead-letter-exchange", "dlx", "x-max-length", 1));
        queue.inside(() -> assertThat(queue.leader.publish(message("taken"), null, 0, false))
                .isNotNull());
    }

    @Test
    void deliveriesWaitWhenAllThatConsumersGetTheyReject() {
        queue.configure(Map.of("x-dead-letter-exchange", "dlx"));
        Client client = queue.consume(1);
        client.onDelivery = number -> client.subscription.settle(number, number, Settlement.REJECT);
        for (int round = 0; round < 70; round++) {
            String[] texts = new String[1000];
            java.util.Arrays.setAll(texts, i -> numbered("m", i));
            queue.publish(texts);
        }
        assertThat(client.got.size()).isBetween(DeadLetters.REJECTED_MAX, DeadLetters.REJECTED_MAX + 1024);
        while (!queue.targets.isEmpty()) {
            queue.inside(() -> queue.targets.remove().run());
        }
        assertThat(client.got).hasSize(70_000);
        assertThat(queue.state.live().count()).isZero();
    }

    @Test
    void aLimitThatGoesIsGoneAtOnceAndOneThatComesIsThereAtOnce() {
        queue.publish("a", "b", "c");
        queue.configure(Map.of("x-max-length", 2, "x-message-ttl", 10));
        assertThat(queue.state.live().count()).isEqualTo(2);
        queue.configure(Map.of());
        queue.publish("d", "e");
        assertThat(queue.state.live().count()).isEqualTo(4);
        queue.loop.advanceMillis(100);
        assertThat(queue.state.live().count()).as("stamped when they came").isEqualTo(4);
        queue.configure(Map.of("x-dead-letter-exchange", "dlx"));
        queue.configure(Map.of("x-max-length", 0));
        assertThat(queue.deadLetters).isEmpty();
        assertThat(queue.state.live().count()).isZero();
    }
}
