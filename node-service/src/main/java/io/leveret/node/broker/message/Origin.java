package io.leveret.node.broker.message;

/**
 * Who published a message, so that a second copy of the same publish is recognised.
 *
 * @param node the number that metadata gave to the node of the client's connection
 * @param boot that node's boot
 * @param channel a number for the channel, never used twice within a boot
 * @param number 1, 2, 3 … within the channel
 */
public record Origin(int node, long boot, long channel, long number) {
    /** In place of a node, whose numbers are 1 or more: the publish is the dead letter of another queue. */
    public static final int LETTER = 0;

    /**
     * A dead letter is named by its source, whoever leads that and however often it is sent.
     *
     * @param source the incarnation of the queue that it left
     * @param id its id there
     */
    public static Origin ofLetter(long source, MessageId id) {
        return new Origin(LETTER, source, id.epoch(), id.index());
    }

    public boolean isLetter() {
        return node == LETTER;
    }
}
