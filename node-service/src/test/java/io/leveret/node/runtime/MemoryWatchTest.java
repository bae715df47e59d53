package io.leveret.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
    private static final long MIB = 1L << 20;

    private final List<Boolean> heard = new ArrayList<>();

    /** A process whose memory is told by the test. */
    private static final class ToldMemory implements MemoryWatch.Readings {
        private long physical = 1000 * MIB;
        private long heapMax = 100 * MIB;
        private long used = 50 * MIB;
        private long old;
        private long garbage;
        private boolean isFull;
        private boolean isFullOfGarbage;
        private int collections;

        @Override
        public long physicalBytes() {
            return physical;
        }

        @Override
        public long heapBytesMax() {
            return heapMax;
        }

        @Override
        public long usedBytes() {
            return used;
        }

        @Override
        public long oldBytes() {
            return old;
        }

        @Override
        public boolean isHeapFull() {
            return isFull;
        }

        @Override
        public void collect() {
            collections++;
            used -= garbage;
            garbage = 0;
            isFull &= !isFullOfGarbage;
        }
    }

    private MemoryWatch watch(ToldMemory memory) {
        MemoryWatch watch = new MemoryWatch(memory);
        watch.addListener(heard::add);
        return watch;
    }

    @Test
    void theAlarmFollowsTheLimit() {
        try (MemoryWatch watch = new MemoryWatch()) {
            watch.addListener(heard::add);
            watch.setFraction(1);
            watch.check();
            assertThat(watch.isHigh()).isFalse();
            assertThat(watch.usedBytes()).isBetween(1L, watch.physicalBytes());
            watch.setLimitBytes(1);
            watch.check();
            watch.check();
            assertThat(watch.isHigh()).isTrue();
            assertThat(watch.limitBytes()).isEqualTo(1);
            watch.setFraction(1);
            watch.check();
            assertThat(heard).containsExactly(true, false);
        }
    }

    @Test
    void aFullHeapIsAnAlarmWhateverTheLimit() {
        ToldMemory memory = new ToldMemory();
        try (MemoryWatch watch = watch(memory)) {
            watch.check();
            assertThat(watch.isHigh()).isFalse();
            memory.isFull = true;
            watch.check();
            assertThat(watch.isHigh()).isTrue();
            memory.isFull = false;
            watch.check();
            assertThat(heard).containsExactly(true, false);
        }
    }

    @Test
    void anAlarmForAFullHeapEndsByItself() {
        ToldMemory memory = new ToldMemory();
        try (MemoryWatch watch = watch(memory)) {
            memory.isFull = true;
            memory.isFullOfGarbage = true;
            int looks = 0;
            do {
                watch.check();
                looks++;
            } while (watch.isHigh() && looks < 100);
            assertThat(heard).containsExactly(true, false);
            assertThat(memory.collections).as("collected by the watch").isEqualTo(1);
            assertThat(looks).isBetween(2, 20);
        }
    }

    @Test
    void garbageOverTheLimitIsCollectedAndLeavesNoAlarm() {
        ToldMemory memory = new ToldMemory();
        memory.used = 500 * MIB;
        memory.old = 300 * MIB;
        memory.garbage = 200 * MIB;
        try (MemoryWatch watch = watch(memory)) {
            watch.setFraction(0.4);
            for (int i = 0; i < 20; i++) {
                watch.check();
            }
            assertThat(heard).containsExactly(true, false);
        }
    }

    @Test
    void nothingIsCollectedWhenItCannotHelp() {
        ToldMemory memory = new ToldMemory();
        memory.old = 10 * MIB;
        try (MemoryWatch watch = watch(memory)) {
            watch.setLimitBytes(0);
            for (int i = 0; i < 100; i++) {
                watch.check();
            }
            assertThat(watch.isHigh()).isTrue();
            assertThat(memory.collections).isZero();
        }
    }

    @Test
    void theLimitIsTwoFifthsUnlessTheHeapWasAllowedMore() {
        ToldMemory memory = new ToldMemory();
        try (MemoryWatch large = watch(memory)) {
            assertThat(large.limitBytes()).isEqualTo(400 * MIB);
        }
        memory.heapMax = 300 * MIB;
        try (MemoryWatch small = watch(memory)) {
            assertThat(small.limitBytes()).isEqualTo(556 * MIB);
            small.setFraction(0.4);
            assertThat(small.limitBytes()).isEqualTo(400 * MIB);
        }
        memory.heapMax = 900 * MIB;
        try (MemoryWatch tight = watch(memory)) {
            assertThat(tight.limitBytes()).isEqualTo(800 * MIB);
        }
    }
}
