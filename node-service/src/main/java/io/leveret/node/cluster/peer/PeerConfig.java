package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a node's end of the links needs to know.
 *
 * @param boot this process's boot number
 * @param listen where to listen; port 0 lets the system choose
 * @param secret the cluster's shared secret; never sent
 * @param silenceMillisMax how long a peer may say nothing before its link is closed: net_ticktime
 * @param tls null: without TLS
 */
public record PeerConfig(
        NodeName self,
        long boot,
        InetSocketAddress listen,
        byte[] secret,
        long silenceMillisMax,
        @Nullable PeerTls tls) {
    /** @throws IllegalArgumentException for an empty secret or a silence under 100 ms */
    public PeerConfig {
        if (secret.length == 0) {
            throw new IllegalArgumentException("the cluster secret must not be empty");
        }
        if (silenceMillisMax < 100) {
            throw new IllegalArgumentException("the tolerated silence of a peer is too short: " + silenceMillisMax);
        }
    }

    /** Without TLS. */
    public PeerConfig(NodeName self, long boot, InetSocketAddress listen, byte[] secret, long silenceMillisMax) {
        this(self, boot, listen, secret, silenceMillisMax, null);
    }
}
