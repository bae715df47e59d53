package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.auth.LoginThrottle;
import io.leveret.node.runtime.ManualExecutor;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Failed logins in simulated time. */
class HeldAnswerTest {
    private static final long USUAL = TimeUnit.SECONDS.toNanos(3);

    private final LoginThrottle throttle = new LoginThrottle();
    private final ManualExecutor loop = new ManualExecutor();
    private final List<String> seen = new ArrayList<>();

    private void runTo(long nanos) {
        loop.advanceNanos(nanos - loop.nanoTime());
    }

    private HeldAnswer answer() {
        return new HeldAnswer(throttle, InetAddress.getLoopbackAddress(), loop, loop);
    }

    private void fail(HeldAnswer held, long usualNanos) {
        held.holdLogin(usualNanos, () -> seen.add("answered"), () -> seen.add("closed at once"));
    }

    @Test
    void theSilentEndComesAfterThreeSecondsAndTheSpokenOneAtOnce() {
        fail(answer(), 0);
        assertThat(seen).containsExactly("answered");
        fail(answer(), USUAL);
        runTo(USUAL - 1);
        assertThat(seen).hasSize(1);
        runTo(USUAL);
        assertThat(seen).hasSize(2);
    }

    @Test
    void oneAfterTheOtherAGuesserGetsFewAnswersAMinute() {
        int answers = 0;
        while (loop.nanoTime() < TimeUnit.MINUTES.toNanos(10)) {
            HeldAnswer held = answer();
            int before = seen.size();
            fail(held, 0);
            assertThat(loop.advanceUntil(() -> seen.size() > before, 60_000)).isTrue();
            held.forget();
            answers++;
        }
        // One is forgiven every three seconds, and that is where the waits settle.
        assertThat(answers).isLessThan(20 + 10 * 60 / 3 + 20);
        assertThat(throttle.held()).isZero();
    }

    @Test
    void manyAtATimeAreBoundedAndPlacesComeBack() {
        List<HeldAnswer> all = new ArrayList<>();
        for (int i = 0; i < LoginThrottle.HELD_PER_SOURCE_MAX + 10; i++) {
            HeldAnswer held = answer();
            all.add(held);
            fail(held, USUAL);
        }
        assertThat(seen).containsOnly("closed at once").hasSize(10);
        assertThat(throttle.held()).isEqualTo(LoginThrottle.HELD_PER_SOURCE_MAX);
        runTo(USUAL + LoginThrottle.EXTRA_NANOS_MAX + 1_000);
        assertThat(seen).hasSize(LoginThrottle.HELD_PER_SOURCE_MAX + 10);
        all.forEach(HeldAnswer::forget);
        all.forEach(HeldAnswer::forget);
        assertThat(throttle.held()).isZero();
    }

    @Test
    void aClientThatLeavesGivesItsPlaceBackAndGetsNoAnswer() {
        HeldAnswer held = answer();
        fail(held, USUAL);
        held.forget();
        runTo(2 * USUAL);
        assertThat(seen).isEmpty();
        assertThat(throttle.held()).isZero();
    }
}
