package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;

/**
 * What an origin and the leader of a queue say to each other (PROTOCOL.md §9). The frame around it names the incarnation of
 * the queue; each needs the order in which it was sent.
 */
public sealed interface OriginMessage {
    ChannelKey channel();

    /** From the node of a publisher to the node that leads. */
    sealed interface ToLeader extends OriginMessage {
        long epoch();

        /** Counts the sessions of the channel with this queue: 1, 2, 3 … */
        long session();
    }

    /** From the node that leads, or was thought to, to the node of the publisher. */
    sealed interface ToOrigin extends OriginMessage {}

    /**
     * A session of a channel begins; all unanswered publishes follow, then new ones.
     *
     * @param source of a publisher of dead letters: the incarnation of the queue that they left; else 0
     * @param sourceEpoch the epoch of that queue's leader, which sends them; else 0
     */
    record Open(ChannelKey channel, long epoch, long session, long source, long sourceEpoch) implements ToLeader {
        /** Of a client's channel. */
        Open(ChannelKey channel, long epoch, long session) {
            this(channel, epoch, session, 0, 0);
        }
    }

    /**
     * One publish. A dead letter has a message that is named already.
     *
     * @param floor lowest number of the channel that this queue has not answered
     * @param firstEpoch in which it was sent first, perhaps to another leader; 0: it was not sent before
     */
    record Publish(
            ChannelKey channel, long epoch, long session, long number, long floor, long firstEpoch, Message message)
            implements ToLeader {}

    /**
     * Messages that a transaction has acked, by id. Answered like a publish of this number, when it is on disk that they
     * are gone. To be sent again to the next leader: what it finds settled already is settled.
     */
    record Settle(ChannelKey channel, long epoch, long session, long number, IdRuns ids) implements ToLeader {}

    /** The channel publishes no more. Answered like a publish of this number. */
    record Close(ChannelKey channel, long epoch, long session, long number) implements ToLeader {}

    /**
     * Dead letters of a source have left it for good. Not answered.
     *
     * @param source the incarnation of the queue that they left
     * @param floor all older messages have left it, too
     */
    record LettersSettled(ChannelKey channel, long epoch, long session, long source, MessageId floor, RunSet letters)
            implements ToLeader {}

    /** Answers all publishes of the channel with numbers from..to that the queue has not answered. */
    record Answered(ChannelKey channel, long from, long to, boolean isConfirmed) implements ToOrigin {}

    /** This node does not lead that epoch, or has no such session: begin again. */
    record NotLeader(ChannelKey channel, long epoch, long session) implements ToOrigin {}
}
