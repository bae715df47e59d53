package io.leveret.node.cluster.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class PeerFrameDecoderTest {
    private static final class Recorded implements PeerFrameDecoder.Sink {
        final List<String> frames = new ArrayList<>();
        int brokenCount;
        int closedCount;

        @Override
        public void frame(int classByte, int service, ByteBuffer payload) {
            byte[] copy = new byte[payload.remaining()];
            payload.get(copy);
            frames.add(classByte + "/" + service + "/" + HexFormat.of().formatHex(copy));
        }

        @Override
        public void broken(String reason) {
            brokenCount++;
        }

        @Override
        public void closed() {
            closedCount++;
        }
    }

    private static ByteBuf frame(int classByte, int service, byte[] payload) {
        ByteBuf out = Unpooled.directBuffer(payload.length + 10);
        PeerFrame.append(out, new CRC32C(), classByte, service, ByteBuffer.wrap(payload));
        return out;
    }

    @Test
    void aFrameHasTheseBytes() {
        ByteBuf bytes = frame(2, 5, new byte[] {1, 2, 3});
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.readBytes(copy);
        bytes.release();
        assertThat(HexFormat.of().formatHex(copy)).isEqualTo("00000005026363420205010203");
    }

    @Test
    void framesSurviveAnyCutAndDamageIsNoticed() {
        long seed = System.nanoTime();
        System.out.println("PeerFrameDecoderTest seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            ByteBuf all = Unpooled.directBuffer();
            List<String> expected = new ArrayList<>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                byte[] payload = new byte[random.nextInt(3) == 0 ? random.nextInt(3_000) : random.nextInt(20)];
                random.nextBytes(payload);
                ByteBuf one = frame(random.nextInt(3), random.nextInt(256), payload);
                expected.add(one.getUnsignedByte(8) + "/" + one.getUnsignedByte(9) + "/"
                        + HexFormat.of().formatHex(payload));
                all.writeBytes(one);
                one.release();
            }
            boolean isDamaged = random.nextBoolean();
            if (isDamaged) {
                int at = random.nextInt(all.readableBytes());
                all.setByte(at, all.getByte(at) ^ 1 << random.nextInt(8));
            }
            Recorded sink = new Recorded();
            EmbeddedChannel channel = opened(sink);
            while (all.isReadable()) {
                channel.writeInbound(all.readBytes(Math.min(1 + random.nextInt(2_000), all.readableBytes())));
            }
            all.release();
            channel.close();
            if (!isDamaged) {
                assertThat(sink.frames).as("seed %d round %d", seed, round).isEqualTo(expected);
                assertThat(sink.brokenCount).isZero();
            } else {
                assertThat(sink.frames).isEqualTo(expected.subList(0, sink.frames.size()));
                assertThat(sink.frames.size())
                        .as("seed %d round %d", seed, round)
                        .isLessThan(expected.size());
            }
            assertThat(sink.closedCount).isEqualTo(1);
        }
    }

    private static EmbeddedChannel opened(Recorded sink) {
        PeerFrameDecoder decoder = new PeerFrameDecoder(new Recorded());
        decoder.open(sink);
        return new EmbeddedChannel(decoder);
    }

    @Test
    void aStrangerMayNotMakeItKeepALargeFrame() {
        Recorded sink = new Recorded();
        EmbeddedChannel channel = new EmbeddedChannel(new PeerFrameDecoder(sink));
        channel.writeInbound(Unpooled.buffer().writeInt(PeerFrame.HANDSHAKE_LENGTH_MAX + 1));
        assertThat(sink.brokenCount).isEqualTo(1);
        channel.close();
    }
}
