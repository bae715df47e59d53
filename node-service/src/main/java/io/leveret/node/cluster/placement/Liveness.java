package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.membership.Member;
import io.leveret.node.cluster.membership.Membership;
import io.leveret.node.cluster.membership.MembershipListener;

/** Which processes seem to be alive: a hint. Any thread. */
public interface Liveness {
    /** Whether exactly this boot of the node is seen. */
    boolean isAlive(NodeName node, long boot);

    /** The task is run whenever an answer may have changed, on a thread that must not be held up. */
    void onChange(Runnable task);

    /** What membership sees. */
    static Liveness of(Membership membership) {
        return new Liveness() {
            @Override
            public boolean isAlive(NodeName node, long boot) {
                Member member = membership.members().get(node);
                return member != null && member.boot() == boot;
            }

            @Override
            public void onChange(Runnable task) {
                membership.addListener(new MembershipListener() {
                    @Override
                    public void appeared(Member member) {
                        task.run();
                    }

                    @Override
                    public void vanished(Member member) {
                        task.run();
                    }
                });
            }
        };
    }
}
