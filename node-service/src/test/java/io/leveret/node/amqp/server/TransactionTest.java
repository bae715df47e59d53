package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.queue.Subscription.Settlement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private final Transaction<String, String> transaction = new Transaction<>();

    private List<String> runs() {
        List<String> runs = new ArrayList<>();
        transaction.forEachRun((source, from, to, what) -> runs.add(source + " " + from + "-" + to + " " + what));
        return runs;
    }

    @Test
    void everythingComesOutInTheOrderItWentIn() {
        transaction.publish("one");
        transaction.settle(7, "a", 3, Settlement.ACK);
        transaction.publish("two");
        assertThat(transaction.publishes()).isEqualTo(2);
        assertThat(transaction.nextPublish()).isEqualTo("one");
        assertThat(transaction.nextPublish()).isEqualTo("two");
        assertThat(transaction.nextPublish()).isNull();
        assertThat(runs()).containsExactly("a 3-3 ACK");
        transaction.done();
        assertThat(transaction.publishes() + transaction.verdicts()).isZero();
    }

    @Test
    void neighboursWithTheSameVerdictAreOneRun() {
        transaction.settle(1, "a", 1, Settlement.ACK);
        transaction.settle(2, "a", 2, Settlement.ACK);
        transaction.settle(3, "a", 3, Settlement.REQUEUE);
        transaction.settle(4, "b", 4, Settlement.REQUEUE);
        transaction.settle(5, "b", 6, Settlement.REQUEUE);
        assertThat(runs()).containsExactly("a 1-2 ACK", "a 3-3 REQUEUE", "b 4-4 REQUEUE", "b 6-6 REQUEUE");
    }

    @Test
    void rollbackGivesEveryDeliveryBackUnderItsTag() {
        transaction.publish("one");
        transaction.settle(4, "a", 2, Settlement.ACK);
        transaction.settle(3, "b", 1, Settlement.REJECT);
        List<String> restored = new ArrayList<>();
        transaction.rollback((tag, source, number) -> restored.add(tag + " " + source + " " + number));
        assertThat(restored).containsExactly("4 a 2", "3 b 1");
        assertThat(transaction.publishes() + transaction.verdicts()).isZero();
        assertThat(runs()).isEmpty();
    }

    @Test
    void itHoldsSoMuchAndNoMore() {
        for (int i = 0; i < Transaction.STEPS_MAX - 1; i++) {
            assertThat(transaction.publish("x")).isTrue();
        }
        assertThat(transaction.settle(1, "a", 1, Settlement.ACK)).isTrue();
        assertThat(transaction.publish("x")).isFalse();
        assertThat(transaction.settle(2, "a", 2, Settlement.ACK)).isFalse();
        assertThat(transaction.publishes() + transaction.verdicts()).isEqualTo(Transaction.STEPS_MAX);
    }
}
