package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What a metadata store needs to know.
 *
 * @param node this node; one of the voters
 * @param voters the nodes that vote, the same list on every node; consulted when the cluster is formed
 * @param folder where log and snapshots are kept; nobody else's
 * @param clusterName derived from the secret: nodes with another one never meet
 * @param electionMin lower bound of the election time-out; the upper one is twice that
 * @param pauseAfter how long a node may be without a majority before it says so
 * @param proposalDeadline how long a proposal or an up-to-date read is tried
 * @param snapshotEntries log entries after which a snapshot is taken
 * @param tls null: without TLS
 */
public record MetadataSettings(
        NodeName node,
        List<Voter> voters,
        Path folder,
        String clusterName,
        Duration electionMin,
        Duration pauseAfter,
        Duration proposalDeadline,
        long snapshotEntries,
        @Nullable Tls tls) {
    private static final Duration ELECTION_MIN = Duration.ofSeconds(1);
    private static final Duration PROPOSAL_DEADLINE = Duration.ofSeconds(15);
    private static final long SNAPSHOT_ENTRIES = 20_000;

    /** A node with a vote. Its address is on the cluster interface. */
    public record Voter(NodeName node, String host, int port) {}

    /** Both ends of a connection show a certificate of the authorities. The managers may change what they answer. */
    public record Tls(X509ExtendedKeyManager keys, X509ExtendedTrustManager authorities) {}

    public MetadataSettings {
        if (voters.stream().filter(each -> each.node().equals(node)).count() != 1) {
            throw new IllegalArgumentException("the initial members must name " + node + " exactly once");
        }
    }

    /** The usual time-outs. */
    public static MetadataSettings of(
            NodeName node, List<Voter> voters, Path folder, String clusterName, Duration pauseAfter) {
        return new MetadataSettings(
                node,
                List.copyOf(voters),
                folder,
                clusterName,
                ELECTION_MIN,
                pauseAfter,
                PROPOSAL_DEADLINE,
                SNAPSHOT_ENTRIES,
                null);
    }

    Voter self() {
        return voters.stream()
                .filter(each -> each.node().equals(node))
                .findFirst()
                .orElseThrow();
    }
}
