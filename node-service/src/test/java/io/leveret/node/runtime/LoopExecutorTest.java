package io.leveret.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopExecutorTest {
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final EventLoops loops = new EventLoops(2, (what, cause) -> faults.add(String.valueOf(cause.getMessage())));
    private final SerialExecutor one = loops.all().get(0);
    private final SerialExecutor two = loops.all().get(1);

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void whatABatchHandsOverArrivesTogetherInOrderAfterTheBatch() {
        one.execute(() -> {
            for (int i = 0; i < 5; i++) {
                int number = i;
                one.handOver(two, () -> {
                    seen.add("over " + number);
                    if (number == 0) {
                        two.execute(() -> seen.add("later"));
                    }
                });
            }
            seen.add("end");
        });
        await().untilAsserted(() -> assertThat(List.copyOf(seen))
                .containsExactly("end", "over 0", "over 1", "over 2", "over 3", "over 4", "later"));
    }

    @Test
    void theEndOfABatchComesOnceAfterIt() {
        one.execute(() -> {
            one.atEndOfBatch(() -> {
                seen.add("end");
                one.atEndOfBatch(() -> seen.add("end of the end"));
            });
            one.run(() -> seen.add("inside"));
        });
        await().untilAsserted(() -> assertThat(List.copyOf(seen)).containsExactly("inside", "end", "end of the end"));
    }

    @Test
    void aTaskThatThrowsIsAFault() {
        one.execute(() -> {
            throw new IllegalStateException("broken");
        });
        await().untilAsserted(() -> assertThat(List.copyOf(faults)).containsExactly("broken"));
    }

    @Test
    void aStoppedLoopDropsWhatIsStillAskedOfIt() {
        loops.close();
        one.execute(() -> seen.add("ran"));
        one.schedule(() -> seen.add("ran"), 1).cancel();
        assertThat(seen).isEmpty();
    }
}
