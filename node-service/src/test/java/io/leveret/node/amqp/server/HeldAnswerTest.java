package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.auth.LoginThrottle;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Failed logins in simulated time. */
class HeldAnswerTest {
    private static final long USUAL = TimeUnit.SECONDS.toNanos(3);

    private final LoginThrottle throttle = new LoginThrottle();
    private final SimulatedLoop loop = new SimulatedLoop();
    private final List<String> seen = new ArrayList<>();

    /** Its time moves when it is told to. */
    private static final class SimulatedLoop implements SerialExecutor, NodeClock {
        private final TreeMap<Long, Runnable> timers = new TreeMap<>();
        private long now;

        @Override
        public boolean isInside() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void atEndOfBatch(Runnable task) {
            task.run();
        }

        @Override
        public Cancellable schedule(Runnable task, long delayNanos) {
            long at = now + delayNanos;
            while (timers.containsKey(at)) {
                at++;
            }
            timers.put(at, task);
            return () -> timers.values().remove(task);
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long currentTimeMillis() {
            return TimeUnit.NANOSECONDS.toMillis(now);
        }

        void runTo(long nanos) {
            while (!timers.isEmpty() && timers.firstKey() <= nanos) {
                now = timers.firstKey();
                timers.pollFirstEntry().getValue().run();
            }
            now = nanos;
        }
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
        loop.runTo(USUAL - 1);
        assertThat(seen).hasSize(1);
        loop.runTo(USUAL);
        assertThat(seen).hasSize(2);
    }

    @Test
    void oneAfterTheOtherAGuesserGetsFewAnswersAMinute() {
        int answers = 0;
        while (loop.now < TimeUnit.MINUTES.toNanos(10)) {
            HeldAnswer held = answer();
            int before = seen.size();
            fail(held, 0);
            while (seen.size() == before) {
                loop.runTo(loop.timers.firstKey());
            }
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
        loop.runTo(USUAL + LoginThrottle.EXTRA_NANOS_MAX + 1_000);
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
        loop.runTo(2 * USUAL);
        assertThat(seen).isEmpty();
        assertThat(throttle.held()).isZero();
    }
}
