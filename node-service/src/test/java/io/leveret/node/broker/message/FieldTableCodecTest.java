package io.leveret.node.broker.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FieldTableCodecTest {
    @Test
    void everyTypeComesBack() {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("bool", true);
        table.put("byte", (byte) -3);
        table.put("short", (short) -300);
        table.put("int", -70_000);
        table.put("long", 1L << 40);
        table.put("float", 1.5f);
        table.put("double", 2.25);
        table.put("decimal", new BigDecimal("-12.34"));
        table.put("text", "häre");
        table.put("time", new Date(1_796_040_943_000L));
        table.put("list", Arrays.asList(1, "two", null));
        table.put("table", Map.of("inside", Map.of("deeper", 1L)));
        table.put("nothing", null);
        Map<String, Object> back = FieldTableCodec.decode(FieldTableCodec.encode(table));
        assertThat(back).isEqualTo(table);
        assertThat(back.keySet()).containsExactlyElementsOf(table.keySet());
    }

    @Test
    void bytesAreThoseOfRabbitMq() {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("a", "x");
        table.put("b", 5);
        table.put("c", true);
        assertThat(HexFormat.of().formatHex(FieldTableCodec.encode(table)))
                .isEqualTo("0161" + "53" + "00000001" + "78" + "0162" + "49" + "00000005" + "0163" + "74" + "01");
    }

    @Test
    void unsignedTypesAreReadAsWiderOnes() {
        Map<String, Object> table = FieldTableCodec.decode(HexFormat.of()
                .parseHex("0161" + "42ff" + "0162" + "75ffff" + "0163" + "69ffffffff" + "0164" + "4c00000000000000ff"));
        assertThat(table)
                .containsEntry("a", (short) 255)
                .containsEntry("b", 65_535)
                .containsEntry("c", 4_294_967_295L)
                .containsEntry("d", 255L);
    }

    @Test
    void textThatIsNoUtf8KeepsItsBytes() {
        byte[] bytes = HexFormat.of().parseHex("0161" + "53" + "00000002" + "c328");
        assertThat(FieldTableCodec.decode(bytes).get("a")).isEqualTo(new byte[] {(byte) 0xc3, 0x28});
    }

    @Test
    void theFirstOfTwoFieldsCounts() {
        byte[] bytes = HexFormat.of().parseHex("0161" + "7401" + "0161" + "7400");
        assertThat(FieldTableCodec.decode(bytes)).containsExactlyEntriesOf(Map.of("a", true));
    }

    @Test
    void nestingIsBounded() {
        Object value = 1;
        for (int i = 0; i < FieldTableCodec.DEPTH_MAX; i++) {
            value = List.of(value);
        }
        byte[] deepest = FieldTableCodec.encode(Map.of("a", value));
        assertThat(FieldTableCodec.decode(deepest)).containsKey("a");
        Object tooDeep = List.of(value);
        assertThatThrownBy(() -> FieldTableCodec.encode(Map.of("a", tooDeep))).isInstanceOf(FieldTableException.class);
        byte[] bomb = new byte[100_000];
        for (int i = 0; i + 5 <= bomb.length; i += 5) {
            int rest = bomb.length - i - 7;
            byte[] head = i == 0 ? new byte[] {1, 'a'} : new byte[0];
            System.arraycopy(head, 0, bomb, i, head.length);
            int at = i == 0 ? 2 : i + 2;
            if (at + 5 <= bomb.length) {
                bomb[at] = 'A';
                bomb[at + 1] = (byte) (rest >> 24);
                bomb[at + 2] = (byte) (rest >> 16);
                bomb[at + 3] = (byte) (rest >> 8);
                bomb[at + 4] = (byte) rest;
            }
        }
        assertThatThrownBy(() -> FieldTableCodec.decode(bomb))
                .isInstanceOf(FieldTableException.class)
                .hasMessageContaining("nested");
    }

    @Test
    void onlyCleanErrorsComeOfAnyBytes() {
        long seed = Long.getLong("fuzz.seed", 42L);
        System.out.println("fuzz.seed=" + seed);
        Random random = new Random(seed);
        byte[] good =
                FieldTableCodec.encode(Map.of("a", List.of(1, "x", Map.of("k", 1.5)), "b", new Date(0), "c", "text"));
        int faults = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = good.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = bytes.length - random.nextInt(3);
            Map<String, Object> table;
            try {
                table = FieldTableCodec.decode(bytes, 0, length);
            } catch (FieldTableException e) {
                assertThatThrownBy(() -> FieldTableCodec.check(bytes, 0, length))
                        .hasMessage(e.getMessage());
                faults++;
                continue;
            }
            FieldTableCodec.check(bytes, 0, length);
            FieldTableCodec.encode(table); // what was read can always be written
        }
        assertThat(faults).isGreaterThan(1_000);
    }

    @Test
    void theLongestNameThatIsNoUtf8CanBeWrittenAgain() {
        byte[] bytes = new byte[257];
        Arrays.fill(bytes, (byte) 0xff);
        bytes[256] = 'V';
        FieldTableCodec.check(bytes, 0, bytes.length);
        byte[] again = FieldTableCodec.encode(FieldTableCodec.decode(bytes));
        assertThat(FieldTableCodec.decode(again)).hasSize(1);
    }

    @Test
    void whatABuilderDoesNotChangeKeepsItsBytes() {
        byte[] id = {(byte) 0xff, 0, (byte) 0x80, 'i'};
        byte[] headers = {1, 'a', 'B', (byte) 200, 1, 'b', 'S', 0, 0, 0, 1, (byte) 0xfe};
        ByteSink raw = new ByteSink();
        raw.writeShort(0x2000 | 0x0400);
        raw.writeLongString(headers);
        raw.writeByte(id.length);
        raw.writeBytes(id);
        MessageProperties properties = MessageProperties.of(raw.toBytes());
        assertThat(properties.toBuilder().toBytes()).isEqualTo(raw.toBytes());
        byte[] asked = properties.toBuilder()
                .text(Property.REPLY_TO, "r")
                .expiration("1")
                .toBytes();
        assertThat(MessageProperties.of(asked).bytes(Property.CORRELATION_ID)).isEqualTo(id);
        assertThat(MessageProperties.of(asked).bytes(Property.HEADERS)).isEqualTo(headers);
    }

    @Test
    void propertiesAreReadFromTheirRawBytes() {
        byte[] raw = MessageProperties.builder()
                .text(Property.CONTENT_TYPE, "text/plain")
                .headers(Map.of("h", 1))
                .deliveryMode(2)
                .priority(200)
                .expiration("1000")
                .timestamp(1_796_040_943L)
                .text(Property.USER_ID, "guest")
                .toBytes();
        MessageProperties properties = MessageProperties.of(raw);
        assertThat(properties.text(Property.CONTENT_TYPE)).isEqualTo("text/plain");
        assertThat(properties.headers()).isEqualTo(Map.of("h", 1));
        assertThat(properties.deliveryMode()).isEqualTo(2);
        assertThat(properties.priority()).isEqualTo(200);
        assertThat(properties.expiration()).isEqualTo("1000");
        assertThat(properties.timestamp()).isEqualTo(1_796_040_943L);
        assertThat(properties.text(Property.USER_ID)).isEqualTo("guest");
        assertThat(properties.text(Property.REPLY_TO)).isNull();
        assertThat(properties.toBuilder().toBytes()).isEqualTo(raw);
        byte[] without = properties.toBuilder().expiration(null).toBytes();
        assertThat(MessageProperties.of(without).has(Property.EXPIRATION)).isFalse();
        PropertyIndex index = new PropertyIndex();
        index.index(raw);
        assertThat(index.is(Property.USER_ID, "guest".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(index.is(Property.USER_ID, "guest2".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    @Test
    void brokenPropertiesAreRefused() {
        long seed = Long.getLong("fuzz.seed", 7L);
        System.out.println("fuzz.seed=" + seed);
        Random random = new Random(seed);
        byte[] good = MessageProperties.builder()
                .headers(Map.of("h", 1))
                .expiration("1")
                .timestamp(1L)
                .toBytes();
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 4));
            for (int n = random.nextInt(3); n > 0 && bytes.length > 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                MessageProperties.of(bytes).headers();
            } catch (FieldTableException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
