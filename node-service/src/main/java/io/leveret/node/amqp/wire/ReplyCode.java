package io.leveret.node.amqp.wire;

/** The reply codes of AMQP 0-9-1 that a broker sends. */
public enum ReplyCode {
    SUCCESS(200),
    CONTENT_TOO_LARGE(311),
    NO_ROUTE(312),
    CONNECTION_FORCED(320),
    ACCESS_REFUSED(403),
    NOT_FOUND(404),
    RESOURCE_LOCKED(405),
    PRECONDITION_FAILED(406),
    FRAME_ERROR(501),
    SYNTAX_ERROR(502),
    COMMAND_INVALID(503),
    CHANNEL_ERROR(504),
    UNEXPECTED_FRAME(505),
    RESOURCE_ERROR(506),
    NOT_ALLOWED(530),
    NOT_IMPLEMENTED(540),
    INTERNAL_ERROR(541);

    private final int code;

    ReplyCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
