package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.runtime.ManualExecutor;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UnreadWatchTest {
    private final ManualExecutor loop = new ManualExecutor();
    private final ReadingGate reading = new ReadingGate(
            new EmbeddedChannel(), new PublishWindow(new Intake(Long.MAX_VALUE, Long.MAX_VALUE, () -> false).share()));
    private final AtomicInteger givenUp = new AtomicInteger();
    private long sent;
    private long taken;

    private final UnreadWatch watch = new UnreadWatch(
            new UnreadWatch.Sending() {
                @Override
                public long sentBytes() {
                    return sent;
                }

                @Override
                public long pendingBytes() {
                    return sent - taken;
                }
            },
            loop,
            reading,
            givenUp::incrementAndGet);

    private void step(long more, long read) {
        sent += more;
        taken += read;
        watch.look();
    }

    @Test
    void aClientThatReadsNothingIsNotListenedToAndGivenUpAfterAWhile() {
        step(UnreadWatch.UNREAD_BYTES_MAX, 0);
        assertThat(reading.isReading()).isTrue();
        step(1, 0);
        assertThat(reading.isReading()).isFalse();
        loop.advanceMillis(TimeUnit.SECONDS.toMillis(UnreadWatch.SILENT_SECONDS_MAX) - 1);
        assertThat(givenUp).hasValue(0);
        loop.advanceMillis(2);
        assertThat(givenUp).hasValue(1);
    }

    @Test
    void aSlowOneIsWaitedForAndListenedToAgain() {
        step(UnreadWatch.UNREAD_BYTES_MAX + 1000, 0);
        for (int minute = 0; minute < 10; minute++) {
            step(0, 1);
            loop.advanceMillis(TimeUnit.SECONDS.toMillis(UnreadWatch.SILENT_SECONDS_MAX));
        }
        assertThat(reading.isReading()).isFalse();
        step(0, UnreadWatch.UNREAD_BYTES_MAX / 2 + 1000);
        assertThat(reading.isReading()).isTrue();
        loop.advanceMillis(TimeUnit.SECONDS.toMillis(10L * UnreadWatch.SILENT_SECONDS_MAX));
        assertThat(givenUp).hasValue(0);
    }
}
