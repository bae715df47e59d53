package io.leveret.node.cluster.membership;

import java.util.List;

/**
 * What a membership needs to know.
 *
 * @param host the address of the cluster interface; nothing else is bound
 * @param seeds addresses of all members, host and port each, this one may be among them
 * @param clusterName derived from the secret: nodes with another one never meet
 */
public record MembershipSettings(Member self, String host, int port, List<String> seeds, String clusterName) {
    static final int TICKS = 4;

    int heartbeatSeconds() {
        return Math.max(1, self.tickSeconds() / TICKS);
    }
}
