package io.leveret.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerTest {
    private final List<String> faults = new CopyOnWriteArrayList<>();

    private Worker start(Worker.Step step) {
        return Worker.start("test", step, (what, cause) -> faults.add(what + ": " + cause.getMessage()));
    }

    @Test
    void everyRingIsFollowedByAStepThatSeesWhatCameBefore() {
        AtomicInteger given = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        Worker worker = start(() -> {
            seen.set(given.get());
            return Worker.UNTIL_RUNG;
        });
        for (int i = 1; i <= 10_000; i++) {
            given.set(i);
            worker.ring();
            if (i % 100 == 0) {
                int wanted = i;
                await().until(() -> seen.get() == wanted);
            }
        }
        worker.close();
        assertThat(faults).isEmpty();
    }

    @Test
    void aWaitEndsByItself() {
        AtomicInteger steps = new AtomicInteger();
        Worker worker = start(() -> {
            steps.incrementAndGet();
            return 1_000_000;
        });
        await().until(() -> steps.get() > 3);
        worker.close();
    }

    @Test
    void closeLetsTheRunningStepEndAndRunsNoOther() throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        AtomicInteger steps = new AtomicInteger();
        Worker worker = start(() -> {
            isRunning.countDown();
            steps.incrementAndGet();
            return Worker.UNTIL_RUNG;
        });
        isRunning.await();
        worker.close();
        int before = steps.get();
        worker.ring();
        assertThat(steps.get()).isEqualTo(before).isOne();
    }

    @Test
    void aFailedStepIsAFault() {
        Worker worker = start(() -> {
            throw new IllegalStateException("broken");
        });
        await().until(() -> !faults.isEmpty());
        worker.close();
        assertThat(faults).containsExactly("a step of leveret-test failed: broken");
    }

    @Test
    void threadsAreNamedDaemons() {
        NamedThreads threads = new NamedThreads("probe");
        Thread first = threads.newThread(() -> {});
        assertThat(first.getName()).isEqualTo("leveret-probe-1");
        assertThat(first.isDaemon()).isTrue();
        assertThat(threads.newThread(() -> {}).getName()).isEqualTo("leveret-probe-2");
    }
}
