package io.leveret.node.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.QueueEvent.Published;
import io.leveret.node.broker.queue.QueueEvent.Purged;
import io.leveret.node.broker.queue.QueueEvent.Reason;
import io.leveret.node.broker.queue.QueueEvent.Settled;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueEventCodecTest {
    private static String hex(QueueEvent event) {
        ByteBuffer encoded = QueueEventCodec.encode(event);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static void assertSame(QueueEvent actual, QueueEvent expected) {
        if (!(expected instanceof Published)) {
            assertThat(actual).isEqualTo(expected);
            return;
        }
        Published a = (Published) actual;
        Published e = (Published) expected;
        assertThat(a).usingRecursiveComparison().isEqualTo(e);
        assertThat(a.message().isPersistent()).isEqualTo(e.message().isPersistent());
    }

    @Test
    void theBytesOfEachEventAreAContract() {
        Message message = new Message("amq.topic", "kéy", new byte[] {0x10, 0, 2}, new byte[] {'h', 'i'}, true);
        assertThat(hex(new Published(message, new Origin(3, 7, 300, 5), 4, true)))
                .isEqualTo("11" + "07" + "0307ac020504" + "09616d712e746f706963" + "046bc3a979" + "0302" + "100002"
                        + "6869");
        Message bare = new Message("", "q", new byte[2], new byte[0], false);
        assertThat(hex(new Published(bare, null, 0, false, 9, 0x0102030405060708L)))
                .isEqualTo("11" + "18" + "09" + "0102030405060708" + "00" + "0171" + "0200" + "0000");
        IdRuns runs = new IdRuns.Builder().add(1, 5, 9).add(2, 1).build();
        assertThat(hex(new Settled(runs, Reason.OVERFLOW))).isEqualTo("12" + "03" + "02" + "020504" + "020100");
        assertThat(hex(new Purged(IdRuns.range(1L << 48, 1, 300))))
                .isEqualTo("13" + "01" + "80808080808080" + "01" + "01" + "ab02");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsDecodedIsWhatWasEncoded(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            QueueEvent event = randomEvent(random);
            ByteBuffer encoded = QueueEventCodec.encode(event);
            assertSame(QueueEventCodec.decode(encoded.duplicate()), event);
            assertSame(
                    QueueEventCodec.decode(ByteBuffer.allocateDirect(encoded.remaining())
                            .put(encoded.duplicate())
                            .flip()),
                    event);
            ByteBuffer cut = encoded.duplicate();
            cut.limit(random.nextInt(cut.limit()));
            assertThatThrownBy(() -> QueueEventCodec.decode(cut)).isInstanceOf(CodecException.class);
        }
    }

    private static QueueEvent randomEvent(Random random) {
        int kind = random.nextInt(3);
        if (kind == 0) {
            byte[] body = new byte[random.nextInt(300)];
            random.nextBytes(body);
            Message message = new Message(
                    "x".repeat(random.nextInt(256)),
                    "é".repeat(random.nextInt(128)),
                    new byte[2 + random.nextInt(20)],
                    body,
                    random.nextBoolean());
            Origin origin = random.nextBoolean()
                    ? null
                    : new Origin(random.nextInt(1 << 20), random.nextLong(), random.nextLong(), random.nextLong());
            return new Published(
                    message,
                    origin,
                    origin == null ? 0 : random.nextLong(),
                    random.nextBoolean(),
                    random.nextInt(256),
                    random.nextBoolean() ? LiveMessage.NEVER : random.nextLong());
        }
        IdRuns.Builder runs = new IdRuns.Builder();
        for (int i = random.nextInt(20); i > 0; i--) {
            long first = random.nextInt(1000);
            runs.add((long) random.nextInt(3) << 48 | random.nextInt(5), first, first + random.nextInt(5));
        }
        Reason[] reasons = Reason.values();
        return kind == 1
                ? new Settled(runs.build(), reasons[random.nextInt(reasons.length)])
                : new Purged(runs.build());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomBytesAreRefusedByTheCodecAlone(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes;
            if (random.nextBoolean()) {
                bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                if (bytes.length > 0) {
                    bytes[0] = (byte) (0x11 + random.nextInt(3));
                }
            } else {
                ByteBuffer encoded = QueueEventCodec.encode(randomEvent(random));
                bytes = new byte[encoded.remaining()];
                encoded.get(bytes);
                bytes[random.nextInt(Math.min(30, bytes.length))] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                QueueEventCodec.decode(ByteBuffer.wrap(bytes));
            } catch (CodecException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
    }
}
