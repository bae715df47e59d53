package io.leveret.node.cluster.metadata;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsDelta;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.PolicyMatcher;
import io.leveret.node.cluster.metadata.ClusterDelta.PlacementChange;
import io.leveret.node.cluster.metadata.ClusterImage.ClientResults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/** The next image in the making: an image and one log entry go in, the next image and the delta come out. One thread. */
final class ClusterEdit {
    /** More than a client may have unanswered at a time, so that no result is dropped that may still be asked for. */
    static final int RESULTS_PER_CLIENT_MAX = 4096;

    private static final int GENERATION_SHIFT = 48;

    DefinitionsImage definitions = DefinitionsImage.EMPTY;
    TreePMap<NodeName, ClusterNode> nodes = TreePMap.empty();
    TreePMap<QueueName, QueuePlacement> placements = TreePMap.empty();
    TreePMap<Long, QueueName> names = TreePMap.empty();
    TreePMap<ExchangeName, Long> transientExchanges = TreePMap.empty();
    TreePMap<NodeName, ClientResults> results = TreePMap.empty();
    TreePMap<NodeName, NodeLoad> loads = TreePMap.empty();
    int lastNumber;
    int generation;
    boolean isFormed;
    long index;

    final Set<NodeName> nodesChanged = new TreeSet<>();
    private final List<DefinitionsDelta> definitionDeltas = new ArrayList<>();
    private final Map<Long, PlacementChange> changes = new LinkedHashMap<>();
    private final List<Promotion> promotions = new ArrayList<>();
    private final Map<VhostName, PolicyMatcher> matchers = new HashMap<>();

    /** From nothing. */
    ClusterEdit() {}

    ClusterEdit(ClusterImage from, long entry) {
        definitions = from.definitions;
        nodes = from.nodes;
        placements = from.placements;
        names = from.names;
        transientExchanges = from.transientExchanges;
        results = from.results;
        loads = from.loads;
        lastNumber = from.lastNumber;
        generation = from.generation;
        isFormed = from.isFormed;
        index = entry;
    }

    ClusterImage image() {
        return new ClusterImage(this);
    }

    ClusterDelta delta() {
        return new ClusterDelta(
                false,
                DefinitionsDelta.merge(definitionDeltas),
                Set.copyOf(nodesChanged),
                List.copyOf(changes.values()),
                List.copyOf(promotions));
    }

    /** Makes a number that grows, and that no metadata lost by force can have given out. */
    long next(long number) {
        return Math.max(number, ((long) generation << GENERATION_SHIFT)) + 1;
    }

    /** Names the queue that this entry creates. */
    long incarnation() {
        return ((long) generation << GENERATION_SHIFT) + index;
    }

    boolean isLive(NodeName name) {
        ClusterNode node = nodes.get(name);
        return node != null && node.isLive();
    }

    void put(ClusterNode node) {
        nodes = nodes.plus(node.name(), node);
        nodesChanged.add(node.name());
    }

    @Nullable
    QueuePlacement placement(long incarnation) {
        QueueName name = names.get(incarnation);
        return name == null ? null : placements.get(name);
    }

    void put(QueuePlacement placement) {
        QueuePlacement before = placements.get(placement.queue());
        placements = placements.plus(placement.queue(), placement);
        names = names.plus(placement.incarnation(), placement.queue());
        changed(placement.queue(), placement.incarnation(), before, placement);
    }

    void tell(Promotion promotion) {
        promotions.add(promotion);
    }

    /** What the ha-* keys ask for this queue; null: nothing. */
    @Nullable
    MirroringPolicy mirroring(QueueName name) {
        QueueDefinition queue = definitions.queue(name);
        if (queue == null) {
            return null;
        }
        return matchers.computeIfAbsent(
                        name.vhost(),
                        vhost -> new PolicyMatcher(
                                definitions.policies(vhost).values(),
                                definitions.operatorPolicies(vhost).values()))
                .forQueue(queue)
                .mirroring();
    }

    boolean isDurable(QueueName name) {
        QueueDefinition queue = definitions.queue(name);
        return queue != null && queue.isDurable();
    }

    /** Applies a change of definitions, and ends the placements of the queues it deletes. */
    Outcome define(DefinitionChange change) {
        DefinitionChange.Applied applied = change.applyTo(definitions);
        accept(applied);
        return applied.outcome();
    }

    void accept(DefinitionChange.Applied applied) {
        definitions = applied.image();
        DefinitionsDelta delta = applied.delta();
        definitionDeltas.add(delta);
        matchers.keySet().removeAll(delta.policies());
        delta.queuesDeleted().forEach(queue -> end(queue.name()));
        for (ExchangeDefinition exchange : delta.exchangesDeclared()) {
            if (!exchange.isDurable()) {
                transientExchanges = transientExchanges.plus(exchange.name(), index);
            }
        }
        for (ExchangeDefinition exchange : delta.exchangesDeleted()) {
            transientExchanges = transientExchanges.minus(exchange.name());
        }
    }

    private void end(QueueName name) {
        QueuePlacement before = placements.get(name);
        if (before != null) {
            placements = placements.minus(name);
            names = names.minus(before.incarnation());
            changed(name, before.incarnation(), before, null);
        }
    }

    private void changed(
            QueueName name, long incarnation, @Nullable QueuePlacement before, @Nullable QueuePlacement after) {
        count(before, -1);
        count(after, 1);
        PlacementChange earlier = changes.get(incarnation);
        QueuePlacement first = earlier == null ? before : earlier.before();
        changes.put(incarnation, new PlacementChange(name, incarnation, first, after));
    }

    private void count(@Nullable QueuePlacement placement, int by) {
        if (placement == null) {
            return;
        }
        for (Replica each : placement.replicas()) {
            NodeLoad load =
                    loads.getOrDefault(each.node(), NodeLoad.NONE).plus(placement.isLedBy(each.node()) ? by : 0, by);
            loads = load.equals(NodeLoad.NONE) ? loads.minus(each.node()) : loads.plus(each.node(), load);
        }
    }
}
