package io.leveret.node.amqp.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a client did wrong, or must be told: it ends the channel or the connection. Thrown anywhere on the path of a frame,
 * translated into a close method in one place.
 */
public final class AmqpException extends RuntimeException {
    private static final int TEXT_BYTES_MAX = 255;
    private static final int TEXT_BYTES_KEPT = 252;

    private final Scope scope;
    private final ReplyCode code;
    private final int classId;
    private final int methodId;

    /**
     * @param reason the sentence after the code's name
     * @param classId class of the method at fault, 0: none
     * @param methodId method at fault, 0: none
     */
    public AmqpException(Scope scope, ReplyCode code, String reason, int classId, int methodId) {
        super(reason, null, false, false);
        this.scope = scope;
        this.code = code;
        this.classId = classId;
        this.methodId = methodId;
    }

    public static AmqpException connection(ReplyCode code, String reason) {
        return new AmqpException(Scope.CONNECTION, code, reason, 0, 0);
    }

    public static AmqpException channel(ReplyCode code, String reason) {
        return new AmqpException(Scope.CHANNEL, code, reason, 0, 0);
    }

    /** The same fault, said of this method. */
    public AmqpException at(int newClassId, int newMethodId) {
        return new AmqpException(scope, code, reason(), newClassId, newMethodId);
    }

    public Scope scope() {
        return scope;
    }

    public ReplyCode code() {
        return code;
    }

    public int classId() {
        return classId;
    }

    public int methodId() {
        return methodId;
    }

    /** The text of the close method: the code's name and the reason, cut to what a short string holds. */
    public String replyText() {
        String text = code.name() + " - " + reason();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= TEXT_BYTES_MAX) {
            return text;
        }
        int end = TEXT_BYTES_KEPT;
        while ((utf8[end] & 0xc0) == 0x80) {
            end--; // not in the middle of a character
        }
        return new String(Arrays.copyOf(utf8, end), StandardCharsets.UTF_8) + "...";
    }

    private String reason() {
        String reason = getMessage();
        return reason == null ? "" : reason;
    }

    /** What the fault ends. */
    public enum Scope {
        CHANNEL,
        CONNECTION
    }
}
