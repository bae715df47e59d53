package io.leveret.node.broker.vhost;

/**
 * The broker refuses what a client asked for. {@code getMessage()} is the sentence after the reply code's name, such as
 * {@code no queue 'q' in vhost '/'}. Only the protocol's edge turns it into a reply code and a scope.
 */
public final class BrokerException extends RuntimeException {
    private final Kind kind;

    public BrokerException(Kind kind, String reason) {
        super(reason, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** The class of a refusal; each is one reply code of AMQP. */
    public enum Kind {
        /** 404, closes the channel. */
        NOT_FOUND,
        /** 403, closes the channel. */
        ACCESS_REFUSED,
        /** 405, closes the channel. */
        RESOURCE_LOCKED,
        /** 406, closes the channel. */
        PRECONDITION_FAILED,
        /** 503, closes the connection. */
        COMMAND_INVALID,
        /** 530, closes the connection. */
        NOT_ALLOWED,
        /** 506, closes the channel: a limit is reached. */
        RESOURCE_ERROR,
        /** 541, closes the connection: the cluster gave no answer. */
        INTERNAL_ERROR
    }
}
