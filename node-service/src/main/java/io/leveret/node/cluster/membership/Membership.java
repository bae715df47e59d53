package io.leveret.node.cluster.membership;

import io.leveret.model.NodeName;
import java.util.SortedMap;

/** Who seems to be alive. Hints only: what follows from them is decided in metadata. Any thread. */
public interface Membership {
    /** All that are seen now, this process among them. */
    SortedMap<NodeName, Member> members();

    /** The listener is told of every difference from now on. */
    void addListener(MembershipListener listener);
}
