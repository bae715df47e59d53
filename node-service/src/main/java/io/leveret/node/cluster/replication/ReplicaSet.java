package io.leveret.node.cluster.replication;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What metadata says of one queue, as its replicas need it: the placement, and the boots of the nodes. Nodes are named by
 * the numbers that metadata gave them.
 *
 * @param leader the number of the leading node, or {@link #NOBODY}
 * @param lossyEpoch the epoch in which messages may have been left behind; 0: none
 * @param boots the boot of every node that metadata knows
 */
public record ReplicaSet(
        long incarnation,
        long epoch,
        int leader,
        long version,
        boolean isOpened,
        long lossyEpoch,
        List<Member> members,
        Map<Integer, Long> boots) {
    /** No node leads. */
    public static final int NOBODY = -1;

    /** One replica, with the state of its node. */
    public record Member(int node, long boot, boolean isLive, long generation, boolean isInSync, boolean isAbandoned) {}

    /** The replica on this node, or null. */
    public @Nullable Member member(int node) {
        for (Member each : members) {
            if (each.node() == node) {
                return each;
            }
        }
        return null;
    }

    boolean isInSync(int node) {
        Member member = member(node);
        return member != null && member.isInSync();
    }

    int liveMirrors() {
        int count = 0;
        for (Member each : members) {
            count += each.isLive() && each.node() != leader ? 1 : 0;
        }
        return count;
    }

    int inSyncCount() {
        int count = 0;
        for (Member each : members) {
            count += each.isInSync() ? 1 : 0;
        }
        return count;
    }

    boolean hasAbandoned() {
        return members.stream().anyMatch(Member::isAbandoned);
    }

    boolean isWhole() {
        return members.stream().allMatch(each -> each.isInSync() && !each.isAbandoned());
    }
}
