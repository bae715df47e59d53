package io.leveret.node.amqp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WireCodecTest {
    private static final int FRAME_MAX = 131_072;

    private final List<Object> seen = new ArrayList<>();
    private final FrameSink recorder = new FrameSink() {
        @Override
        public void onMethod(int channel, Method method) {
            seen.add(method);
        }

        @Override
        public void onHeader(int channel, int classId, long bodySize, ByteBuf properties) {
            seen.add("header " + channel + " " + classId + " " + bodySize + " " + ByteBufUtil.hexDump(properties));
        }

        @Override
        public void onBody(int channel, ByteBuf payload) {
            seen.add("body " + channel + " " + payload.toString(StandardCharsets.UTF_8));
        }

        @Override
        public void onHeartbeat() {
            seen.add("heartbeat");
        }
    };
    private final FrameDecoder decoder = new FrameDecoder(recorder, FRAME_MAX);

    @Test
    void everyMethodComesBackAsItWas() throws ReflectiveOperationException {
        Random random = new Random(1);
        List<Class<?>> records = allMethods();
        assertThat(records).hasSize(64);
        for (Class<?> type : records) {
            for (int i = 0; i < 20; i++) {
                Method method = random(type, random);
                ByteBuf out = Unpooled.buffer();
                FrameEncoder.writeMethod(out, random.nextInt(65_536), method);
                byte[] bytes = ByteBufUtil.getBytes(out);
                seen.clear();
                assertThat(decoder.decodeNext(out)).isTrue();
                assertThat(out.isReadable()).isFalse();
                Method back = (Method) seen.get(0);
                assertThat(back).isInstanceOf(type);
                ByteBuf again = Unpooled.buffer();
                FrameEncoder.writeMethod(again, ((bytes[1] & 0xff) << 8) | (bytes[2] & 0xff), back);
                assertThat(ByteBufUtil.getBytes(again)).as("%s", method).isEqualTo(bytes);
            }
        }
    }

    @Test
    void framesHaveTheBytesOfTheSpecification() {
        ByteBuf out = Unpooled.buffer();
        FrameEncoder.writeMethod(out, 1, new BasicMethod.Publish("x", "key", true, false));
        FrameEncoder.writeMethod(out, 0, new ConnectionMethod.Tune(2047, 131_072, 60));
        FrameEncoder.writeHeartbeat(out);
        FrameEncoder.writeMethod(out, 2, new QueueMethod.Declare("q", false, true, false, true, false, Map.of("a", 1)));
        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo("0100010000000d003c002800000178036b657901ce"
                        + "0100000000000c000a001e07ff00020000003cce"
                        + "08000000000000ce"
                        + "010002000000140032000a000001710a000000070161490000" + "0001ce");
    }

    @Test
    void deliveriesAndContentAreWhatAClientReads() {
        byte[] header = MessageProperties.builder().deliveryMode(2).toBytes();
        Message message = new Message("ex", "rk", header, "body".getBytes(StandardCharsets.UTF_8), true);
        DeliverTemplate template = new DeliverTemplate(7, "tag");
        ByteBuf out = Unpooled.buffer();
        template.write(out, 42, true, message);
        FrameEncoder.writeHeader(out, 7, message);
        FrameEncoder.writeBody(out, 7, message.body(), 0, 3);
        FrameEncoder.writeBody(out, 7, message.body(), 3, 1);
        template.write(out, 43, false, new Message("", "other", header, new byte[0], true));
        while (decoder.decodeNext(out)) {
            // all of them
        }
        assertThat(out.isReadable()).isFalse();
        assertThat(seen)
                .containsExactly(
                        new BasicMethod.Deliver("tag", 42, true, "ex", "rk"),
                        "header 7 60 4 100002",
                        "body 7 bod",
                        "body 7 y",
                        new BasicMethod.Deliver("tag", 43, false, "", "other"));
    }

    @Test
    void anIncompleteFrameIsLeftInTheBuffer() {
        ByteBuf out = Unpooled.buffer();
        FrameEncoder.writeMethod(out, 1, new BasicMethod.Ack(5, true));
        for (int length = 0; length < out.readableBytes(); length++) {
            ByteBuf part = out.slice(0, length);
            assertThat(decoder.decodeNext(part)).isFalse();
            assertThat(part.readerIndex()).isZero();
        }
    }

    @Test
    void equalNamesAreOneString() {
        ByteBuf out = Unpooled.buffer();
        FrameEncoder.writeMethod(out, 1, new BasicMethod.Publish("exchange", "some.key", false, false));
        FrameEncoder.writeMethod(out, 1, new BasicMethod.Publish("exchange", "some.key", false, false));
        decoder.decodeNext(out);
        decoder.decodeNext(out);
        BasicMethod.Publish first = (BasicMethod.Publish) seen.get(0);
        BasicMethod.Publish second = (BasicMethod.Publish) seen.get(1);
        assertThat(second.routingKey()).isSameAs(first.routingKey());
        assertThat(second.exchange()).isSameAs(first.exchange());
    }

    @Test
    void brokenFramesAreNamedAsClientsKnowIt() {
        assertFault(
                "01000100000004" + "0014000a" + "cd",
                "FRAME_ERROR - type 1, all octets = <<0,20,0,10>>: {invalid_frame_end_marker,205}");
        assertFault("09000100000000ce", "FRAME_ERROR - type 9, all octets = <<>>: unknown_frame");
        assertFault("03000100030d40", "FRAME_ERROR - type 3, all octets = <<>>: {frame_too_large,200000,131064}");
        assertFault("08000100000000ce", "UNEXPECTED_FRAME - type 8, all octets = <<>>");
        assertFault("0800000000000178ce", "FRAME_ERROR - type 8, all octets = <<\"x\">>: unknown_frame");
        assertFault("010001000000050032000a00ce", "FRAME_ERROR - cannot decode <<0>>");
        assertFault("0100010000000a003c005000ffffffffffce", "FRAME_ERROR - cannot decode <<0,255,255,255,255,255>>");
        assertFault("010001000000070014000a02c328ce", "FRAME_ERROR - Malformed UTF-8 in shortstr");
    }

    @Test
    void aLongTextIsCutToAShortString() {
        AmqpException e = AmqpException.channel(ReplyCode.NOT_FOUND, "é".repeat(200));
        assertThat(e.replyText().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(255);
        assertThat(e.replyText()).startsWith("NOT_FOUND - éé").endsWith("é...");
    }

    /** Random bytes, and random damage to good frames: nothing but the protocol's own error may come out. */
    @Test
    void noBytesBreakTheDecoder() throws ReflectiveOperationException {
        long seed = Long.getLong("fuzz.seed", 20_261_130L);
        System.out.println("fuzz.seed=" + seed);
        Random random = new Random(seed);
        List<Class<?>> records = allMethods();
        int faults = 0;
        for (int i = 0; i < 30_000; i++) {
            ByteBuf in = Unpooled.buffer();
            if (random.nextInt(4) == 0) {
                byte[] junk = new byte[random.nextInt(64)];
                random.nextBytes(junk);
                in.writeBytes(junk);
            } else {
                FrameEncoder.writeMethod(in, 1, random(records.get(random.nextInt(records.size())), random));
                for (int n = random.nextInt(4); n > 0; n--) {
                    // Sizes are mostly left alone, or nothing would get past the frame.
                    int at = random.nextInt(8) == 0
                            ? random.nextInt(in.readableBytes())
                            : FrameType.HEAD_BYTES + random.nextInt(in.readableBytes() - FrameType.OVERHEAD_BYTES);
                    in.setByte(at, random.nextInt(256));
                }
            }
            FrameDecoder fresh = new FrameDecoder(recorder, FRAME_MAX);
            seen.clear();
            try {
                while (fresh.decodeNext(in)) {
                    // on to the next
                }
            } catch (AmqpException e) {
                faults++;
                assertThat(e.scope()).isEqualTo(AmqpException.Scope.CONNECTION);
            }
        }
        assertThat(faults).isGreaterThan(1_000);
    }

    private void assertFault(String hex, String text) {
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        assertThatThrownBy(() -> new FrameDecoder(recorder, FRAME_MAX).decodeNext(in))
                .isInstanceOfSatisfying(
                        AmqpException.class, e -> assertThat(e.replyText()).isEqualTo(text));
    }

    private static List<Class<?>> allMethods() {
        return Arrays.stream(Method.class.getPermittedSubclasses())
                .flatMap(group -> Arrays.stream(group.getPermittedSubclasses()))
                .<Class<?>>map(each -> each)
                .toList();
    }

    private static Method random(Class<?> type, Random random) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = randomValue(types[i], components[i].getName(), random);
        }
        var constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return (Method) constructor.newInstance(values);
    }

    private static Object randomValue(Class<?> type, String name, Random random) {
        if (type == String.class) {
            return "näme".repeat(random.nextInt(20));
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == long.class) {
            return random.nextLong();
        } else if (type == byte[].class) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            return bytes;
        } else if (type == Map.class) {
            Map<String, Object> table = new LinkedHashMap<>();
            table.put("a", random.nextInt());
            table.put("b", List.of("x", Map.of("c", true)));
            return table;
        }
        return name.startsWith("version") ? random.nextInt(256) : random.nextInt(65_536);
    }
}
