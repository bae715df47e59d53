package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class IntakeTest {
    private static final int BYTES_MAX = 1 << 20;
    private static final int HELD_MAX = 100_000;

    private final AtomicBoolean isCongested = new AtomicBoolean();
    private final Intake intake = new Intake(BYTES_MAX, HELD_MAX, isCongested::get);

    private PublishWindow window() {
        return new PublishWindow(intake.share());
    }

    @Test
    void manyPublishersTogetherAreBoundedAndEachMayDoOne() {
        List<PublishWindow> windows = new ArrayList<>();
        int published = 0;
        for (int i = 0; i < 100; i++) {
            PublishWindow window = window();
            windows.add(window);
            for (int messages = 0; messages < 1000 && !window.isFull(); messages++) {
                window.add(10_000);
                published += 10_000;
            }
            assertThat(window.messages()).as("connection %d", i).isPositive();
        }
        assertThat(published).isLessThan(BYTES_MAX + 100 * (10_000 + (int) Intake.Share.STEP_BYTES));
        PublishWindow last = windows.get(99);
        for (int left = last.messages(); left > 0; left--) {
            assertThat(last.isHalfEmpty()).as("with %d on its way", left).isFalse();
            last.remove(1, 10_000);
        }
        assertThat(last.isHalfEmpty()).isTrue();
    }

    @Test
    void whatTransactionsHoldIsBoundedForTheNode() {
        List<PublishWindow> windows = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            PublishWindow window = window();
            windows.add(window);
            assertThat(window.hold(10_000)).isNull();
        }
        assertThat(window().hold(1)).isEqualTo("the transactions of this node hold more than " + HELD_MAX + " bytes");
        windows.get(3).release(10_000);
        assertThat(window().hold(1)).isNull();
        assertThat(window().hold(10_000)).as("what was refused does not count").isNotNull();
    }

    @Test
    void oneTransactionMayHoldOneMessageOfAnySize() {
        assertThat(window().hold(HELD_MAX + 1)).isNull();
        assertThat(window().hold(1)).isNotNull();
    }

    @Test
    void whatTheDiskOwesPushesBack() {
        PublishWindow window = window();
        window.add(10);
        assertThat(window.isFull()).isFalse();
        isCongested.set(true);
        assertThat(window.isFull()).isTrue();
        assertThat(window.isHalfEmpty()).isFalse();
        isCongested.set(false);
        assertThat(window.isFull()).isFalse();
        assertThat(window.isHalfEmpty()).isTrue();
    }

    @Test
    void whatAClosedChannelPublishedCountsUntilItIsAnswered() {
        PublishWindow window = window();
        PublisherConfirms confirms = new PublisherConfirms(window);
        for (int i = 0; i < 10; i++) {
            confirms.routed(confirms.open(BYTES_MAX / 4), 1);
        }
        confirms.abandon();
        assertThat(window.messages()).isZero();
        assertThat(intake.isOver()).isTrue();
        for (long number = 1; number <= 10; number++) {
            confirms.answered(number, true);
        }
        assertThat(intake.isOver()).isFalse();
        assertThat(intake.bytes()).isZero();
    }

    @Test
    void nothingIsLeftWhenAllIsAnswered() {
        Random random = new Random(1);
        List<Intake.Share> shares = new ArrayList<>();
        long[] own = new long[20];
        for (int i = 0; i < own.length; i++) {
            shares.add(intake.share());
        }
        for (int step = 0; step < 100_000; step++) {
            int one = random.nextInt(own.length);
            int bytes = random.nextInt(30_000);
            if (random.nextBoolean()) {
                own[one] += bytes;
                shares.get(one).add(bytes);
            } else if (own[one] >= bytes) {
                own[one] -= bytes;
                shares.get(one).remove(bytes);
            }
        }
        for (int i = 0; i < own.length; i++) {
            shares.get(i).remove(own[i]);
        }
        assertThat(intake.bytes()).isZero();
    }
}
