package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SyncPaceTest {
    @Test
    void isWhatWasSentBetweenTwoLooks() {
        SyncPace pace = new SyncPace();
        long start = -5;
        assertThat(pace.look(start, 10_000)).isZero();
        assertThat(pace.look(start + TimeUnit.SECONDS.toNanos(2), 4_000)).isEqualTo(3_000);
        assertThat(pace.look(start + TimeUnit.SECONDS.toNanos(2) + 1, 0))
                .as("too soon")
                .isEqualTo(3_000);
        assertThat(pace.look(start + TimeUnit.SECONDS.toNanos(3), 9_000))
                .as("more is missing")
                .isZero();
    }
}
