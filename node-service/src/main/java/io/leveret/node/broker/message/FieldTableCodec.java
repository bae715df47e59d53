package io.leveret.node.broker.message;

import io.leveret.model.ShortString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Field tables as RabbitMQ and its clients write them (the letters of the 0-9-1 specification that they do not use mean what
 * its errata say).
 *
 * <table>
 * <caption>letter, name, Java value</caption>
 * <tr><td>t</td><td>bool</td><td>Boolean</td></tr>
 * <tr><td>b, B</td><td>byte, unsignedbyte</td><td>Byte, Short</td></tr>
 * <tr><td>s, u</td><td>short, unsignedshort</td><td>Short, Integer</td></tr>
 * <tr><td>I, i</td><td>signedint, unsignedint</td><td>Integer, Long</td></tr>
 * <tr><td>l, L</td><td>long</td><td>Long</td></tr>
 * <tr><td>f, d</td><td>float, double</td><td>Float, Double</td></tr>
 * <tr><td>D</td><td>decimal</td><td>BigDecimal</td></tr>
 * <tr><td>S</td><td>longstr</td><td>String, or byte[] when the bytes are not UTF-8</td></tr>
 * <tr><td>x</td><td>binary</td><td>byte[]</td></tr>
 * <tr><td>T</td><td>timestamp</td><td>Date, in whole seconds</td></tr>
 * <tr><td>A</td><td>array</td><td>List</td></tr>
 * <tr><td>F</td><td>table</td><td>Map</td></tr>
 * <tr><td>V</td><td>void</td><td>null</td></tr>
 * </table>
 *
 * Decoded maps and lists are unmodifiable and keep their order. Of fields with the same name the first counts.
 */
public final class FieldTableCodec {
    /** Tables inside tables: deep enough for any client, shallow enough for any stack. */
    public static final int DEPTH_MAX = 64;

    private FieldTableCodec() {}

    /**
     * Reads the content of a table, without its length.
     *
     * @throws FieldTableException for anything that is not a table
     */
    public static Map<String, @Nullable Object> decode(byte[] bytes, int offset, int length) {
        return readTable(ByteBuffer.wrap(bytes, offset, length), 0);
    }

    /** Reads the content of a table, without its length. */
    public static Map<String, @Nullable Object> decode(byte[] bytes) {
        return decode(bytes, 0, bytes.length);
    }

    /**
     * Looks whether the content of a table can be read, and makes nothing of it.
     *
     * @throws FieldTableException when {@link #decode} would throw it
     */
    static void check(byte[] bytes, int offset, int length) {
        skipEntries(ByteBuffer.wrap(bytes, offset, length), 0);
    }

    private static void skipEntries(ByteBuffer in, int depth) {
        int end = in.limit();
        while (in.position() < end) {
            skip(in, in.get() & 0xff);
            skipValue(in, depth);
        }
    }

    private static void skipValue(ByteBuffer in, int depth) {
        need(in, 1);
        byte letter = in.get();
        switch (letter) {
            case 't', 'b', 'B' -> skip(in, 1);
            case 's', 'u' -> skip(in, 2);
            case 'I', 'i', 'f' -> skip(in, 4);
            case 'D' -> skip(in, 5);
            case 'l', 'L', 'd', 'T' -> skip(in, 8);
            case 'S', 'x' -> skip(in, readLength(in));
            case 'A', 'F' -> skipInside(in, letter, deeper(depth));
            case 'V' -> {}
            default -> throw unknownType(letter);
        }
    }

    /** An array or a table, whose entries must end where it ends. */
    private static void skipInside(ByteBuffer in, byte letter, int depth) {
        int length = readLength(in);
        need(in, length);
        int outer = in.limit();
        in.limit(in.position() + length);
        if (letter == 'F') {
            skipEntries(in, depth);
        } else {
            while (in.hasRemaining()) {
                skipValue(in, depth);
            }
        }
        in.limit(outer);
    }

    private static void skip(ByteBuffer in, int bytes) {
        need(in, bytes).position(in.position() + bytes);
    }

    /**
     * The content of a table, without its length. An {@link EncodedValue} is written as it came.
     *
     * @throws FieldTableException when a value is of no type that a table can hold
     */
    public static byte[] encode(Map<String, ?> table) {
        ByteSink sink = new ByteSink();
        writeEntries(sink, table, 0);
        return sink.toBytes();
    }

    /**
     * The content of a table after a change: first the fields that are put into it, then what it had under other names than
     * theirs and those that are taken out, in its order and byte by byte.
     *
     * @throws FieldTableException for anything that is not a table, and as {@link #encode} does
     */
    static byte[] splice(byte[] bytes, int offset, int length, Set<String> without, Map<String, ?> with) {
        ByteSink sink = new ByteSink();
        writeEntries(sink, with, 0);
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        while (in.hasRemaining()) {
            int start = in.position();
            String name = readName(slice(in, in.get() & 0xff));
            skipValue(in, 0);
            if (!without.contains(name) && !with.containsKey(name)) {
                sink.writeBytes(bytes, start, in.position() - start);
            }
        }
        return sink.toBytes();
    }

    /**
     * The elements of a field that is an array, as many as {@link #decode} finds there; none when it is something else.
     *
     * @throws FieldTableException for anything that is not a table
     */
    static List<EncodedValue> elements(byte[] bytes, int offset, int length, String field) {
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        while (in.hasRemaining()) {
            String name = readName(slice(in, in.get() & 0xff));
            int start = in.position();
            skipValue(in, 0);
            if (name.equals(field)) {
                return bytes[start] == 'A' ? elements(bytes, start + 5, in.position()) : List.of();
            }
        }
        return List.of();
    }

    private static List<EncodedValue> elements(byte[] bytes, int start, int end) {
        List<EncodedValue> elements = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes, start, end - start);
        while (in.hasRemaining()) {
            int at = in.position();
            skipValue(in, 1);
            elements.add(new EncodedValue(bytes, at, in.position() - at));
        }
        return elements;
    }

    /** The protocol's name for the type of a value, as error texts use it. */
    public static String typeName(@Nullable Object value) {
        if (value == null) {
            return "void";
        } else if (value instanceof String) {
            return "longstr";
        } else if (value instanceof Boolean) {
            return "bool";
        } else if (value instanceof Integer) {
            return "signedint";
        } else if (value instanceof Long) {
            return "long";
        } else if (value instanceof Short) {
            return "short";
        } else if (value instanceof Byte) {
            return "byte";
        } else if (value instanceof Double) {
            return "double";
        } else if (value instanceof Float) {
            return "float";
        } else if (value instanceof BigDecimal) {
            return "decimal";
        } else if (value instanceof Date) {
            return "timestamp";
        } else if (value instanceof List) {
            return "array";
        } else if (value instanceof Map) {
            return "table";
        }
        return "binary";
    }

    private static Map<String, @Nullable Object> readTable(ByteBuffer in, int depth) {
        if (!in.hasRemaining()) {
            return Map.of();
        }
        Map<String, @Nullable Object> table = new LinkedHashMap<>();
        while (in.hasRemaining()) {
            String key = readName(slice(in, in.get() & 0xff));
            Object value = readValue(in, depth);
            if (!table.containsKey(key)) {
                table.put(key, value);
            }
        }
        return Collections.unmodifiableMap(table);
    }

    /** One that is not UTF-8 is cut, so that what was read can be written again. */
    private static String readName(ByteBuffer in) {
        if (readText(in) instanceof String name) {
            return name;
        }
        byte[] bytes = readBytes(in.rewind());
        return new String(bytes, 0, Math.min(bytes.length, ShortString.BYTES_MAX / 2), StandardCharsets.ISO_8859_1);
    }

    private static @Nullable Object readValue(ByteBuffer in, int depth) {
        need(in, 1);
        byte letter = in.get();
        switch (letter) {
            case 't':
                return need(in, 1).get() != 0;
            case 'b':
                return need(in, 1).get();
            case 'B':
                return (short) (need(in, 1).get() & 0xff);
            case 's':
                return need(in, 2).getShort();
            case 'u':
                return need(in, 2).getShort() & 0xffff;
            case 'I':
                return need(in, 4).getInt();
            case 'i':
                return need(in, 4).getInt() & 0xffff_ffffL;
            case 'l', 'L':
                return need(in, 8).getLong();
            case 'f':
                return need(in, 4).getFloat();
            case 'd':
                return need(in, 8).getDouble();
            case 'D':
                return readDecimal(need(in, 5));
            case 'T':
                return readTime(need(in, 8).getLong());
            case 'S':
                return readText(slice(in, readLength(in)));
            case 'x':
                return readBytes(slice(in, readLength(in)));
            case 'A':
                return readList(slice(in, readLength(in)), deeper(depth));
            case 'F':
                return readTable(slice(in, readLength(in)), deeper(depth));
            case 'V':
                return null;
            default:
                throw unknownType(letter);
        }
    }

    private static FieldTableException unknownType(byte letter) {
        return new FieldTableException("unknown field type " + (letter & 0xff));
    }

    private static List<@Nullable Object> readList(ByteBuffer in, int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        while (in.hasRemaining()) {
            list.add(readValue(in, depth));
        }
        return Collections.unmodifiableList(list);
    }

    private static BigDecimal readDecimal(ByteBuffer in) {
        int scale = in.get() & 0xff;
        return new BigDecimal(BigInteger.valueOf(in.getInt()), scale);
    }

    /** Times that milliseconds cannot express become the last one that they can. */
    private static Date readTime(long seconds) {
        boolean isTooLarge = seconds < 0 || seconds > Long.MAX_VALUE / 1000;
        return new Date(isTooLarge ? Long.MAX_VALUE / 1000 * 1000 : seconds * 1000);
    }

    private static Object readText(ByteBuffer in) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(in.duplicate()).toString();
        } catch (CharacterCodingException e) {
            return readBytes(in);
        }
    }

    private static byte[] readBytes(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }

    private static int deeper(int depth) {
        if (depth >= DEPTH_MAX) {
            throw new FieldTableException("tables are nested more than " + DEPTH_MAX + " deep");
        }
        return depth + 1;
    }

    private static int readLength(ByteBuffer in) {
        int length = need(in, 4).getInt();
        if (length < 0) {
            throw new FieldTableException("a field is longer than its table");
        }
        return length;
    }

    private static ByteBuffer slice(ByteBuffer in, int length) {
        need(in, length);
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }

    private static ByteBuffer need(ByteBuffer in, int bytes) {
        if (in.remaining() < bytes) {
            throw new FieldTableException("a field is longer than its table");
        }
        return in;
    }

    private static void writeEntries(ByteSink out, Map<?, ?> table, int depth) {
        for (Map.Entry<?, ?> entry : table.entrySet()) {
            out.writeShortString(String.valueOf(entry.getKey()));
            writeValue(out, entry.getValue(), depth);
        }
    }

    private static void writeValue(ByteSink out, @Nullable Object value, int depth) {
        if (value == null) {
            out.writeByte('V');
        } else if (value instanceof String text) {
            out.writeByte('S');
            out.writeLongString(text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof byte[] bytes) {
            out.writeByte('x');
            out.writeLongString(bytes);
        } else if (value instanceof EncodedValue encoded) {
            encoded.writeTo(out);
        } else if (value instanceof Boolean flag) {
            out.writeByte('t');
            out.writeByte(flag ? 1 : 0);
        } else if (value instanceof Number number) {
            writeNumber(out, number);
        } else if (value instanceof Date time) {
            out.writeByte('T');
            out.writeLong(time.getTime() / 1000);
        } else if (value instanceof Map<?, ?> table) {
            out.writeByte('F');
            int at = reserveLength(out);
            writeEntries(out, table, deeper(depth));
            out.setInt(at, out.size() - at - 4);
        } else if (value instanceof List<?> list) {
            out.writeByte('A');
            int at = reserveLength(out);
            int inside = deeper(depth);
            list.forEach(each -> writeValue(out, each, inside));
            out.setInt(at, out.size() - at - 4);
        } else {
            throw new FieldTableException(
                    "a field table holds no " + value.getClass().getSimpleName());
        }
    }

    private static int reserveLength(ByteSink out) {
        int at = out.size();
        out.writeInt(0);
        return at;
    }

    private static void writeNumber(ByteSink out, Number value) {
        if (value instanceof Long number) {
            out.writeByte('l');
            out.writeLong(number);
        } else if (value instanceof Integer number) {
            out.writeByte('I');
            out.writeInt(number);
        } else if (value instanceof Short number) {
            out.writeByte('s');
            out.writeShort(number);
        } else if (value instanceof Byte number) {
            out.writeByte('b');
            out.writeByte(number);
        } else if (value instanceof Double number) {
            out.writeByte('d');
            out.writeLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof Float number) {
            out.writeByte('f');
            out.writeInt(Float.floatToRawIntBits(number));
        } else if (value instanceof BigDecimal number
                && number.scale() >= 0
                && number.scale() <= 255
                && number.unscaledValue().bitLength() < 32) {
            out.writeByte('D');
            out.writeByte(number.scale());
            out.writeInt(number.unscaledValue().intValue());
        } else {
            throw new FieldTableException("a field table cannot hold the number " + value);
        }
    }
}
