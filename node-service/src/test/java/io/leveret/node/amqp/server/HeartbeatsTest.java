package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.amqp.server.Heartbeats.Due;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private final Heartbeats heartbeats = new Heartbeats();

    @Test
    void anIdleServerSendsTwicePerInterval() {
        assertThat(heartbeats.tick(3, 1, true)).isEqualTo(Due.NOTHING);
        assertThat(heartbeats.tick(3, 2, true)).isEqualTo(Due.SEND);
        assertThat(heartbeats.tick(4, 3, true)).isEqualTo(Due.SEND);
        assertThat(heartbeats.tick(5, 4, true)).isEqualTo(Due.SEND);
    }

    @Test
    void aBusyServerSendsNone() {
        for (int sent = 1; sent < 10; sent++) {
            assertThat(heartbeats.tick(sent, sent, true)).isEqualTo(Due.NOTHING);
        }
    }

    @Test
    void aClientIsGoneAfterTwoSilentIntervals() {
        int ticks = 0;
        while (heartbeats.tick(ticks, 7, true) != Due.GIVE_UP) {
            ticks++;
        }
        // The first interval ends with the bytes of the handshake in it.
        assertThat(ticks + 1).isEqualTo(6);
    }

    @Test
    void oneByteInTwoIntervalsIsEnough() {
        for (int i = 0; i < 100; i++) {
            assertThat(heartbeats.tick(i, 1 + i / 4, true)).isNotEqualTo(Due.GIVE_UP);
        }
    }

    @Test
    void silenceSaysNothingWhileTheServerDoesNotRead() {
        for (int i = 0; i < 100; i++) {
            assertThat(heartbeats.tick(i, 7, false)).isNotEqualTo(Due.GIVE_UP);
        }
    }
}
