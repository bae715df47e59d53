package io.leveret.node.cluster.metadata;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import java.util.Collection;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * All that the cluster has agreed on, after one entry of the metadata log. Immutable. The next image is a function of this one
 * and the next entry alone, so every node that has applied the same entries has the same image. Any thread.
 */
public final class ClusterImage {
    /** Before the first entry. */
    public static final ClusterImage EMPTY = new ClusterEdit().image();

    final DefinitionsImage definitions;
    final TreePMap<NodeName, ClusterNode> nodes;
    final TreePMap<QueueName, QueuePlacement> placements;
    final TreePMap<Long, QueueName> names;
    /** Exchanges that are not durable, with the index of their declaration. */
    final TreePMap<ExchangeName, Long> transientExchanges;

    final TreePMap<NodeName, ClientResults> results;
    /** Follows from the placements. */
    final TreePMap<NodeName, NodeLoad> loads;

    final int lastNumber;
    final int generation;
    final boolean isFormed;
    final long index;

    ClusterImage(ClusterEdit edit) {
        this.definitions = edit.definitions;
        this.nodes = edit.nodes;
        this.placements = edit.placements;
        this.names = edit.names;
        this.transientExchanges = edit.transientExchanges;
        this.results = edit.results;
        this.loads = edit.loads;
        this.lastNumber = edit.lastNumber;
        this.generation = edit.generation;
        this.isFormed = edit.isFormed;
        this.index = edit.index;
    }

    /** The outcomes of one client's latest proposals. */
    record ClientResults(UUID storeId, long boot, long floor, TreePMap<Long, Outcome> byNumber) {}

    /** The result of a command. */
    public record Applied(ClusterImage image, Outcome outcome, ClusterDelta delta) {}

    public DefinitionsImage definitions() {
        return definitions;
    }

    /** All nodes that ever were up and were not forgotten, by name. */
    public SortedMap<NodeName, ClusterNode> nodes() {
        return nodes;
    }

    public @Nullable ClusterNode node(NodeName name) {
        return nodes.get(name);
    }

    public boolean isLive(NodeName name) {
        ClusterNode node = nodes.get(name);
        return node != null && node.isLive();
    }

    /** The placements of all queues, by vhost and name. */
    public SortedMap<QueueName, QueuePlacement> placements() {
        return placements;
    }

    /** The placements of a vhost's queues. */
    public Collection<QueuePlacement> placements(VhostName vhost) {
        // No name sorts before the empty one, and no vhost between this one and its own name with a zero character
        // added.
        return placements
                .subMap(new QueueName(vhost, ""), new QueueName(new VhostName(vhost.value() + '\0'), ""))
                .values();
    }

    public @Nullable QueuePlacement placement(QueueName queue) {
        return placements.get(queue);
    }

    /** The placement of one life of a queue; null when it is over. */
    public @Nullable QueuePlacement placement(long incarnation) {
        QueueName name = names.get(incarnation);
        return name == null ? null : placements.get(name);
    }

    /** How many queues a node leads and holds. */
    public NodeLoad load(NodeName name) {
        return loads.getOrDefault(name, NodeLoad.NONE);
    }

    /** Raised whenever a lone survivor was made to lead by force. */
    public int generation() {
        return generation;
    }

    /** The cluster has its first vhost and user. */
    public boolean isFormed() {
        return isFormed;
    }

    /** The index of the newest log entry in this image. */
    public long index() {
        return index;
    }

    /** Applies a command that nobody can propose twice. */
    public Applied apply(long entry, ClusterCommand command) {
        ClusterEdit edit = new ClusterEdit(this, entry);
        Outcome outcome = CommandRules.apply(edit, command);
        return new Applied(edit.image(), outcome, edit.delta());
    }

    /** Applies a command, unless this proposal is already in the image: then the outcome is that of the first time. */
    public Applied apply(long entry, OpId op, ClusterCommand command) {
        ClusterEdit edit = new ClusterEdit(this, entry);
        ClientResults client = results.get(op.node());
        boolean isKnown = client != null && client.storeId().equals(op.storeId());
        if (client != null && isKnown && op.boot() < client.boot()) {
            // That process is gone: nobody waits for the answer, and its results are no longer kept.
            Outcome outcome = Outcome.refused(RefusalKind.STALE, "proposed by an earlier boot");
            return new Applied(edit.image(), outcome, ClusterDelta.NONE);
        }
        if (client != null && isKnown && op.boot() == client.boot()) {
            Outcome earlier = client.byNumber().get(op.number());
            if (earlier != null || op.number() < client.floor()) {
                return new Applied(edit.image(), earlier == null ? Outcome.UNCHANGED : earlier, ClusterDelta.NONE);
            }
        } else {
            client = new ClientResults(op.storeId(), op.boot(), 0, TreePMap.empty());
        }
        Outcome outcome = CommandRules.apply(edit, command);
        edit.results = edit.results.plus(op.node(), remembered(client, op, outcome));
        return new Applied(edit.image(), outcome, edit.delta());
    }

    private static ClientResults remembered(ClientResults client, OpId op, Outcome outcome) {
        TreePMap<Long, Outcome> byNumber = client.byNumber().plus(op.number(), outcome);
        long floor = Math.max(client.floor(), op.floor());
        while (byNumber.firstKey() < floor && byNumber.size() > 1) {
            byNumber = byNumber.minusFirstEntry();
        }
        while (byNumber.size() > ClusterEdit.RESULTS_PER_CLIENT_MAX) {
            byNumber = byNumber.minusFirstEntry();
        }
        return new ClientResults(client.storeId(), client.boot(), floor, byNumber);
    }
}
