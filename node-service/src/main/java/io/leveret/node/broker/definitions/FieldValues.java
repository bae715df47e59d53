package io.leveret.node.broker.definitions;

import io.leveret.node.broker.message.FieldTableCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Field-table and JSON values as bytes: a tag, then the value. Tables are written with their keys sorted, so equal tables have
 * equal bytes. Nesting is bounded, because a reader recurses.
 */
final class FieldValues {
    /** A table inside a table counts twice here; clients may nest so many, and the administrator's JSON as many. */
    private static final int NESTING_MAX = 2 * FieldTableCodec.DEPTH_MAX + 2;

    private static final int NULL = 0;
    private static final int FALSE = 1;
    private static final int TRUE = 2;
    private static final int STRING = 3;
    private static final int BYTE = 4;
    private static final int SHORT = 5;
    private static final int INT = 6;
    private static final int LONG = 7;
    private static final int FLOAT = 8;
    private static final int DOUBLE = 9;
    private static final int DECIMAL = 10;
    private static final int DATE = 11;
    private static final int BYTES = 12;
    private static final int LIST = 13;
    private static final int TABLE = 14;

    private FieldValues() {}

    static byte[] encoded(Map<String, ?> table) {
        ByteWriter out = new ByteWriter();
        writeTable(out, table);
        return out.toByteArray();
    }

    static void writeTable(ByteWriter out, Map<String, ?> table) {
        writeTable(out, table, 0);
    }

    static void write(ByteWriter out, @Nullable Object value) {
        write(out, value, 0);
    }

    private static void writeTable(ByteWriter out, Map<?, ?> table, int depth) {
        checkDepth(depth);
        TreeMap<String, @Nullable Object> sorted = new TreeMap<>();
        table.forEach((key, value) -> sorted.put((String) key, value));
        out.varint(sorted.size());
        sorted.forEach((key, value) -> {
            out.string(key);
            write(out, value, depth + 1);
        });
    }

    private static void write(ByteWriter out, @Nullable Object value, int depth) {
        checkDepth(depth);
        if (value == null) {
            out.u8(NULL);
        } else if (value instanceof Boolean bool) {
            out.u8(bool ? TRUE : FALSE);
        } else if (value instanceof String string) {
            out.u8(STRING);
            out.string(string);
        } else if (value instanceof Number number) {
            writeNumber(out, number);
        } else if (value instanceof Date date) {
            out.u8(DATE);
            out.i64(date.getTime());
        } else if (value instanceof byte[] bytes) {
            out.u8(BYTES);
            out.bytes(bytes);
        } else if (value instanceof List<?> list) {
            out.u8(LIST);
            out.varint(list.size());
            list.forEach(each -> write(out, each, depth + 1));
        } else if (value instanceof Map<?, ?> map) {
            out.u8(TABLE);
            writeTable(out, map, depth + 1);
        } else {
            throw new IllegalArgumentException(
                    "no field value: " + value.getClass().getName());
        }
    }

    private static void writeNumber(ByteWriter out, Number number) {
        if (number instanceof Byte) {
            out.u8(BYTE);
            out.u8(number.byteValue());
        } else if (number instanceof Short) {
            out.u8(SHORT);
            out.i32(number.shortValue());
        } else if (number instanceof Integer) {
            out.u8(INT);
            out.i32(number.intValue());
        } else if (number instanceof Long) {
            out.u8(LONG);
            out.i64(number.longValue());
        } else if (number instanceof Float) {
            out.u8(FLOAT);
            out.i32(Float.floatToRawIntBits(number.floatValue()));
        } else if (number instanceof Double) {
            out.u8(DOUBLE);
            out.i64(Double.doubleToRawLongBits(number.doubleValue()));
        } else if (number instanceof BigDecimal decimal) {
            out.u8(DECIMAL);
            out.i32(decimal.scale());
            out.bytes(decimal.unscaledValue().toByteArray());
        } else {
            throw new IllegalArgumentException(
                    "no field value: " + number.getClass().getName());
        }
    }

    static Map<String, Object> readTable(ByteReader in, int depth) {
        checkDepth(depth);
        int count = in.count();
        Map<String, Object> table = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            putNullable(table, in.string(), read(in, depth + 1));
        }
        return Collections.unmodifiableMap(table);
    }

    static @Nullable Object read(ByteReader in, int depth) {
        checkDepth(depth);
        int tag = in.u8();
        return switch (tag) {
            case NULL -> null;
            case FALSE -> false;
            case TRUE -> true;
            case STRING -> in.string();
            case BYTE -> (byte) in.u8();
            case SHORT -> (short) in.i32();
            case INT -> in.i32();
            case LONG -> in.i64();
            case FLOAT -> Float.intBitsToFloat(in.i32());
            case DOUBLE -> Double.longBitsToDouble(in.i64());
            case DECIMAL -> readDecimal(in);
            case DATE -> new Date(in.i64());
            case BYTES -> in.bytes();
            case LIST -> readList(in, depth);
            case TABLE -> readTable(in, depth + 1);
            default -> throw new MalformedBytesException("no field value has tag " + tag);
        };
    }

    private static BigDecimal readDecimal(ByteReader in) {
        int scale = in.i32();
        byte[] unscaled = in.bytes();
        if (unscaled.length == 0) {
            throw new MalformedBytesException("a decimal without digits");
        }
        return new BigDecimal(new BigInteger(unscaled), scale);
    }

    private static List<Object> readList(ByteReader in, int depth) {
        int count = in.count();
        List<Object> list = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            addNullable(list, read(in, depth + 1));
        }
        return Collections.unmodifiableList(list);
    }

    @SuppressWarnings("NullAway") // a field table may hold "no value"; the map's type cannot say so
    private static void putNullable(Map<String, Object> table, String key, @Nullable Object value) {
        table.put(key, value);
    }

    @SuppressWarnings("NullAway") // as above
    private static void addNullable(List<Object> list, @Nullable Object value) {
        list.add(value);
    }

    private static void checkDepth(int depth) {
        if (depth > NESTING_MAX) {
            throw new MalformedBytesException("values nested deeper than " + NESTING_MAX);
        }
    }
}
