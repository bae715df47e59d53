package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.message.FieldTableException;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.vhost.BrokerException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where refusals of the broker become reply codes and scopes. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private Faults() {}

    static AmqpException translate(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = String.valueOf(cause.getMessage());
        if (cause instanceof AmqpException e) {
            return e;
        } else if (cause instanceof BrokerException e) {
            return ofKind(e.kind(), reason);
        } else if (cause instanceof QueueUnavailableException) {
            return AmqpException.channel(ReplyCode.NOT_FOUND, reason);
        } else if (cause instanceof FieldTableException) {
            return AmqpException.connection(ReplyCode.SYNTAX_ERROR, reason);
        }
        LOG.error("an operation for a client failed in an unforeseen way", cause);
        return AmqpException.connection(ReplyCode.INTERNAL_ERROR, "internal error");
    }

    private static AmqpException ofKind(BrokerException.Kind kind, String reason) {
        return switch (kind) {
            case NOT_FOUND -> AmqpException.channel(ReplyCode.NOT_FOUND, reason);
            case ACCESS_REFUSED -> AmqpException.channel(ReplyCode.ACCESS_REFUSED, reason);
            case RESOURCE_LOCKED -> AmqpException.channel(ReplyCode.RESOURCE_LOCKED, reason);
            case PRECONDITION_FAILED -> AmqpException.channel(ReplyCode.PRECONDITION_FAILED, reason);
            case RESOURCE_ERROR -> AmqpException.channel(ReplyCode.RESOURCE_ERROR, reason);
            case COMMAND_INVALID -> AmqpException.connection(ReplyCode.COMMAND_INVALID, reason);
            case NOT_ALLOWED -> AmqpException.connection(ReplyCode.NOT_ALLOWED, reason);
            case INTERNAL_ERROR -> AmqpException.connection(ReplyCode.INTERNAL_ERROR, reason);
        };
    }
}
