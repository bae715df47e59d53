package io.leveret.node.cluster.membership;

/** Is told who comes and goes, in order, on one thread that must not be held up. */
public interface MembershipListener {
    /** A process is seen; under a name that was seen before it is another one. */
    void appeared(Member member);

    /** A process is no longer seen: its connections closed, or it was silent for net_ticktime. */
    void vanished(Member member);
}
