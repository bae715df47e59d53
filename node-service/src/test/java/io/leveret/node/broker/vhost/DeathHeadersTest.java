package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.QueueName;
import io.leveret.node.broker.message.FieldTableCodec;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.QueueEvent.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What dead-lettering leaves of the headers, byte by byte. */
class DeathHeadersTest {
    private static final long NOW = 1_796_041_621_500L;
    private static final DeadLetterTarget SAME_KEY = new DeadLetterTarget("dlx", null, false);
    private static final DeadLetterTarget OTHER_KEY = new DeadLetterTarget("dlx", "k", false);

    /** A value of every type that there is, and those that are read as something else than they are. */
    private static final List<String> VALUES = List.of(
            "74 00",
            "74 02",
            "62 fd",
            "42 ff",
            "73 8000",
            "75 ffff",
            "49 80000000",
            "69 ffffffff",
            "6c 8000000000000000",
            "4c 00000000000000ff",
            "66 7fc00001",
            "64 7ff8000000000001",
            "44 02 fffffb2e",
            "53 00000005 68c3a47265",
            "53 00000002 c328",
            "53 00000000",
            "78 00000003 616263",
            "54 000000006ae4c000",
            "54 ffffffffffffffff",
            "56",
            "41 00000000",
            "46 00000000",
            // An array of: unsigned byte, text that is no UTF-8, unsigned int, an array of an unsigned short.
            "41 00000016" + "42ff" + "5300000002c328" + "6900000001" + "41000000037500ff",
            // A table with: an unsigned byte, text that is no UTF-8, a table with an unsigned int, the same name again.
            "46 0000001f" + "016142ff" + "01625300000002c328" + "01634600000007" + "017869ffffffff" + "0161" + "7405");

    @Test
    void everyHeaderThatSaysNothingOfDeathsKeepsItsBytes() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < VALUES.size(); i++) {
            all.append(String.format("01%02x", 'A' + i)).append(VALUES.get(i));
        }
        // Names: no UTF-8; empty; one that was there before.
        byte[] headers = bytes(all + "02c328 4201" + "00 4202" + "0141 6900000007");
        for (DeadLetterTarget target : List.of(SAME_KEY, OTHER_KEY)) {
            byte[] once = headers(die(message(headers), "q", Reason.REJECTED, target));
            assertThat(HexFormat.of().formatHex(once))
                    .endsWith(HexFormat.of().formatHex(headers))
                    .hasSizeGreaterThan(2 * headers.length);
            byte[] own = Arrays.copyOf(once, once.length - headers.length);
            assertThat(FieldTableCodec.decode(own))
                    .containsOnlyKeys(
                            "x-death", "x-first-death-reason", "x-first-death-queue", "x-first-death-exchange");
        }
    }

    @Test
    void aSecondDeathLeavesThemAsTheyAre() {
        byte[] headers = bytes("0161 42ff" + "0162 5300000002c328");
        Message once = die(message(headers), "q", Reason.REJECTED, SAME_KEY);
        Message twice = die(once, "q", Reason.REJECTED, SAME_KEY);
        // Only the count of the death has changed.
        byte[] expected = headers(once);
        int count = new String(expected, StandardCharsets.ISO_8859_1).indexOf("countl") + 6;
        assertThat(expected[count + 7]).isEqualTo((byte) 1);
        expected[count + 7] = 2;
        assertThat(headers(twice)).isEqualTo(expected);
    }

    @Test
    void copiesThatDoNotGoAlongAreTakenOutFromBetweenTheOthers() {
        String copies = "41 00000006 53 00000001 79";
        byte[] headers = bytes("0161 42ff" + "024343" + copies + "0162 750001" + "024343" + copies + "0163 6900000001");
        Message dead = die(message(headers), "q", Reason.EXPIRED, OTHER_KEY);
        assertThat(HexFormat.of().formatHex(headers(dead)))
                .endsWith("0161" + "42ff" + "0162" + "750001" + "0163" + "6900000001")
                .doesNotContain("0243430041");
        assertThat(MessageProperties.of(dead).headers()).doesNotContainKey("CC");
        assertThat(headers(die(message(headers), "q", Reason.EXPIRED, SAME_KEY)))
                .endsWith(headers);
    }

    @Test
    void whatAClientWroteIntoDeathsOfOtherQueuesKeepsItsBytes() {
        byte[] earlier = table(bytes("057175657565 53 00000001 61" + "06726561736f6e 53 00000008 72656a6563746564"
                + "0178 42ff" + "0179 5300000002c328"));
        byte[] other = table(bytes("057175657565 53 00000001 62" + "0178 6900000001"));
        byte[] none = bytes("42 01");
        Message message = message(deaths(none, earlier, other));
        Message dead = die(message, "q", Reason.EXPIRED, SAME_KEY);
        assertThat(HexFormat.of().formatHex(headers(dead)))
                .as("after the new one, and without what is no death")
                .endsWith(HexFormat.of().formatHex(earlier) + HexFormat.of().formatHex(other));
        assertThat(MessageProperties.of(dead).headers()).doesNotContainKey("x-first-death-queue");

        Message again = die(message, "a", Reason.REJECTED, SAME_KEY);
        byte[] grown = table(bytes("05636f756e74 6c 0000000000000002" + "057175657565 53 00000001 61"
                + "06726561736f6e 53 00000008 72656a6563746564" + "0178 42ff" + "0179 5300000002c328"));
        assertThat(headers(again)).isEqualTo(deaths(grown, other));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5300000001 61",
                "46 00000003 016156",
                "56",
                "41 00000000",
                "41 00000002 4201",
                "41 00000005 41 00000000"
            })
    void deathsThatAreNoneAreReplaced(String value) {
        byte[] headers = bytes("07782d6465617468" + value + "0161 42ff");
        Message dead = die(message(headers), "q", Reason.EXPIRED, SAME_KEY);
        assertThat(headers(dead)).endsWith(bytes("0161 42ff"));
        assertThat(MessageProperties.of(dead).headers()).containsOnlyKeys("x-death", "a");
        assertThat((List<?>) MessageProperties.of(dead).headers().get("x-death"))
                .hasSize(1);
    }

    @Test
    void aMessageWithoutHeadersGetsThem() {
        Message dead =
                die(new Message("x", "r", MessageProperties.NONE, new byte[0], false), "q", Reason.EXPIRED, SAME_KEY);
        assertThat(MessageProperties.of(dead).headers())
                .containsEntry("x-first-death-exchange", "x")
                .hasSize(4);
    }

    private static Message die(Message message, String queue, Reason why, DeadLetterTarget target) {
        return DeathHeaders.dead(message, QueueName.of("/", queue), why, target, NOW)
                .message();
    }

    private static Message message(byte[] headers) {
        byte[] header = ByteBuffer.allocate(headers.length + 6)
                .putShort((short) 0x2000)
                .putInt(headers.length)
                .put(headers)
                .array();
        assertThat(MessageProperties.of(header).headers()).isNotEmpty();
        return new Message("", "r", header, new byte[] {1}, false);
    }

    /** Headers are the first property of these messages. */
    private static byte[] headers(Message message) {
        ByteBuffer header = ByteBuffer.wrap(message.header());
        assertThat(header.getShort()).isEqualTo((short) 0x2000);
        byte[] headers = new byte[header.getInt()];
        header.get(headers);
        assertThat(header.hasRemaining()).isFalse();
        return headers;
    }

    private static byte[] deaths(byte[]... elements) {
        int length = Arrays.stream(elements).mapToInt(each -> each.length).sum();
        ByteBuffer header = ByteBuffer.allocate(length + 13)
                .put(bytes("07782d6465617468 41"))
                .putInt(length);
        Arrays.stream(elements).forEach(header::put);
        return header.array();
    }

    private static byte[] table(byte[] fields) {
        return ByteBuffer.allocate(fields.length + 5)
                .put((byte) 'F')
                .putInt(fields.length)
                .put(fields)
                .array();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
