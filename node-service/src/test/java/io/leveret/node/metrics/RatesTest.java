package io.leveret.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.runtime.ManualExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RatesTest {
    private final ManualExecutor clock = new ManualExecutor();
    private final Rates rates = new Rates(clock, 3);

    private double look(String object, long value) {
        return rates.perSecond(object, "publish", value);
    }

    private void pass(long seconds) {
        clock.advanceNanos(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void aLookTooSoonRepeatsTheLastRate() {
        assertThat(look("a", 0)).isZero();
        pass(10);
        assertThat(look("a", 50)).isEqualTo(5);
        pass(1);
        assertThat(look("a", 1000)).isEqualTo(5);
        pass(1);
        assertThat(look("a", 50)).isZero();
    }

    @Test
    void whatComesBeyondTheBoundHasNoRateUntilOthersAreForgotten() {
        for (String each : new String[] {"a", "b", "c", "d"}) {
            look(each, 0);
        }
        pass(10);
        for (String each : new String[] {"a", "b", "c"}) {
            assertThat(look(each, 100)).isEqualTo(10);
        }
        assertThat(look("d", 100)).isZero();
        pass(290);
        look("a", 100);
        pass(20);
        assertThat(look("d", 200)).isZero();
        pass(10);
        assertThat(look("d", 300))
                .as("b and c were not looked at for five minutes")
                .isEqualTo(10);
        assertThat(look("a", 130)).isEqualTo(1);
    }
}
