package io.leveret.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
    @Test
    void theAlarmFollowsTheLimit() {
        List<Boolean> heard = new ArrayList<>();
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
}
