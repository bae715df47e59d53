package io.leveret.node.broker.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where each property lies in the raw header of a message. Reusable, so that looking at a message need not make garbage;
 * {@link MessageProperties} is the friendly form.
 */
public final class PropertyIndex {
    private static final int ABSENT = -1;
    private static final byte[] NOTHING = {0, 0};

    private final int[] offsets = new int[Property.COUNT];
    private byte[] raw = NOTHING;

    public PropertyIndex() {
        Arrays.fill(offsets, ABSENT);
    }

    /**
     * Looks at another header.
     *
     * @param header as {@link Message#header} describes it
     * @throws FieldTableException when the properties do not fill it exactly
     */
    public void index(byte[] header) {
        raw = header;
        Arrays.fill(offsets, ABSENT);
        if (header.length < 2) {
            throw new FieldTableException("property flags are missing");
        }
        int flags = unsignedShort(0);
        int at = 2;
        // Bit 0 announces further flag words; no property of class basic lies there.
        for (int more = flags; (more & 1) != 0; at += 2) {
            need(at, 2);
            more = unsignedShort(at);
            if ((more & ~1) != 0) {
                throw new FieldTableException("unknown property flags");
            }
        }
        if ((flags & 2) != 0) {
            throw new FieldTableException("unknown property flags");
        }
        for (int i = 0; i < Property.COUNT; i++) {
            if ((flags & (0x8000 >> i)) != 0) {
                offsets[i] = at;
                at = endOf(i, at);
            }
        }
        if (at != header.length) {
            throw new FieldTableException("properties are longer than their flags say");
        }
    }

    public boolean has(Property property) {
        return offsets[property.ordinal()] != ABSENT;
    }

    /** Looks at the headers, too, if there are any. @throws FieldTableException when they are no table */
    public void checkHeaders() {
        if (has(Property.HEADERS)) {
            FieldTableCodec.check(raw, headersStart(), headersLength());
        }
    }

    /** What a text holds, or the content of the headers, as it came. Only when it is there, and of no other property. */
    byte[] bytes(Property property) {
        int at = offsets[property.ordinal()];
        return property == Property.HEADERS
                ? Arrays.copyOfRange(raw, headersStart(), headersStart() + headersLength())
                : Arrays.copyOfRange(raw, at + 1, at + 1 + (raw[at] & 0xff));
    }

    /** A text property, or null when absent. */
    public @Nullable String text(Property property) {
        int at = offsets[property.ordinal()];
        return at == ABSENT ? null : new String(raw, at + 1, raw[at] & 0xff, StandardCharsets.UTF_8);
    }

    /** A property of one byte as 0 to 255, or -1 when absent. */
    public int octet(Property property) {
        int at = offsets[property.ordinal()];
        return at == ABSENT ? ABSENT : raw[at] & 0xff;
    }

    /** Whether a text property is there and is this, which must be given in UTF-8. */
    public boolean is(Property property, byte[] text) {
        int at = offsets[property.ordinal()];
        return at != ABSENT && Arrays.equals(raw, at + 1, at + 1 + (raw[at] & 0xff), text, 0, text.length);
    }

    /** Seconds since 1970, or null when absent. */
    @Nullable
    Long timestamp() {
        int at = offsets[Property.TIMESTAMP.ordinal()];
        if (at == ABSENT) {
            return null;
        }
        return ((long) int32(at) << 32) | (int32(at + 4) & 0xffff_ffffL);
    }

    /** First byte of the content of the headers table; only when it is there. */
    int headersStart() {
        return offsets[Property.HEADERS.ordinal()] + 4;
    }

    int headersLength() {
        return int32(offsets[Property.HEADERS.ordinal()]);
    }

    private int endOf(int property, int at) {
        if (property == Property.HEADERS.ordinal()) {
            need(at, 4);
            int length = int32(at);
            need(at + 4, length);
            return at + 4 + length;
        } else if (property == Property.DELIVERY_MODE.ordinal() || property == Property.PRIORITY.ordinal()) {
            need(at, 1);
            return at + 1;
        } else if (property == Property.TIMESTAMP.ordinal()) {
            need(at, 8);
            return at + 8;
        }
        need(at, 1);
        int length = raw[at] & 0xff;
        need(at + 1, length);
        return at + 1 + length;
    }

    private void need(int at, int length) {
        if (length < 0 || raw.length - at < length) {
            throw new FieldTableException("a property is longer than the content header");
        }
    }

    private int unsignedShort(int at) {
        return ((raw[at] & 0xff) << 8) | (raw[at + 1] & 0xff);
    }

    private int int32(int at) {
        return (unsignedShort(at) << 16) | unsignedShort(at + 2);
    }
}
