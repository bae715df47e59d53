package io.leveret.node.broker.auth;

/**
 * How many places are taken, of those that limits are about.
 *
 * @param ofVhost connections to a vhost
 * @param ofUser connections of a user
 * @param channels of a user, over all connections
 */
public record Usage(Count ofVhost, Count ofUser, Count channels) {
    /** Nothing is taken. */
    public static final Usage NONE = new Usage(Count.ZERO, Count.ZERO, Count.ZERO);

    /**
     * Places of one kind.
     *
     * @param open taken
     * @param pending asked for, and not yet decided
     */
    public record Count(int open, int pending) {
        public static final Count ZERO = new Count(0, 0);

        public Count plus(Count other) {
            return new Count(open + other.open, pending + other.pending);
        }
    }

    public Usage plus(Usage other) {
        return new Usage(ofVhost.plus(other.ofVhost), ofUser.plus(other.ofUser), channels.plus(other.channels));
    }
}
