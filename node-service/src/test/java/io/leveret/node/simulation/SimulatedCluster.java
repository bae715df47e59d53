package io.leveret.node.simulation;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.queue.QueueSettings;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.Promotion;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import io.leveret.node.cluster.replication.HandOver;
import io.leveret.node.cluster.replication.LeaderSettings;
import io.leveret.node.cluster.replication.ReplicaSet;
import io.leveret.node.cluster.replication.Seams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of 2 to 4 nodes with one queue, all from one seed: the production cores, encoders and metadata rules over a
 * simulated network, disk and clock. First faults at random, then peace, in which everything has to come to rest.
 */
final class SimulatedCluster {
    static final QueueName QUEUE = new QueueName(new VhostName("v"), "q");

    private static final int STEPS = 800;
    private static final int REST_STEPS = 30_000;
    private static final long STEP_NANOS = 1_000_000;

    /** An encoded message of the production code. */
    record Bytes(long incarnation, boolean isReplica, byte[] content) {}

    final Random random;
    /** For transactions alone, so that other schedules stay what they are. */
    final Random transactionRandom;

    final boolean hasTransactions;
    /** For hand-overs alone. */
    final Random handOverRandom;

    final boolean hasHandOvers;
    final Seams seams;
    final SimulatedMetadata metadata;
    final SimulatedNetwork network;
    final List<SimulatedNode> nodes = new ArrayList<>();
    final Coverage coverage = new Coverage();
    private final Faults faults = new Faults(this);
    final MemberChecks checks = new MemberChecks(this);
    final QueueSettings queueSettings;
    final boolean isDurable;
    final double transientPart;
    final long publishDeadline;
    private final boolean isUncleanAllowed;
    final boolean hasPolicyChanges;
    final boolean hasQueueChanges;
    final boolean hasDamage;
    private final boolean isSlowDisk;
    private final int inSyncMin;
    private final boolean isTailSmall;
    private final double faultRate;
    private final double metadataRate;
    private final long mirrorDeadline;
    /** Everything fails just after the in-sync set or the leader changed. */
    final boolean isVicious;

    private final boolean isConsumedAtRest;
    private final double consumeRate;
    private final boolean isTraced;
    private final Map<Long, Ledger> ledgers = new HashMap<>();
    private boolean isAutomatic;
    private boolean isResting;
    private long now;

    /** What the queue is to dead letters. */
    enum Role {
        NONE,
        SOURCE,
        TARGET
    }

    final Role role;

    @Nullable
    SimulatedLetters letters;
    /** Of each image: the newest of the other queue's cluster then. Their metadata is one log. */
    private final List<Integer> othersThen = new ArrayList<>(List.of(0));

    SimulatedCluster(long seed, Seams seams, boolean isTraced) {
        this(seed, seams, isTraced, Role.NONE);
    }

    SimulatedCluster(long seed, Seams seams, boolean isTraced, Role role) {
        this.role = role;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.transactionRandom = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        this.hasTransactions = transactionRandom.nextInt(3) == 0;
        this.handOverRandom = new Random(seed * 0x9E3779B97F4A7C15L + 2);
        this.hasHandOvers = handOverRandom.nextInt(3) == 0;
        this.seams = seams;
        this.isTraced = isTraced;
        metadata = new SimulatedMetadata(random);
        int drawn = random.nextInt(6) == 0 ? 2 : random.nextInt(5) == 0 ? 4 : 3;
        int count = role == Role.NONE ? drawn : 3;
        network = new SimulatedNetwork(count);
        isUncleanAllowed = random.nextBoolean();
        QueueSettings settings = random.nextInt(3) == 0
                ? QueueSettings.of(Map.of("x-max-length", 3L), Map.of())
                : random.nextInt(6) == 0
                        ? QueueSettings.of(Map.of("x-max-length", 4L, "x-overflow", "reject-publish"), Map.of())
                        : QueueSettings.NONE;
        queueSettings = role == Role.SOURCE ? SimulatedLetters.sourceSettings(random) : settings;
        isDurable = random.nextInt(8) != 0 || role != Role.NONE;
        double part = List.of(0.0, 0.3, 0.7).get(random.nextInt(3));
        transientPart = role == Role.NONE ? part : 0;
        publishDeadline = STEP_NANOS * (random.nextInt(4) == 0 ? 150 : 100_000);
        hasPolicyChanges = random.nextInt(5) < 2;
        hasQueueChanges = random.nextInt(5) < 2 && role == Role.NONE;
        hasDamage = random.nextInt(5) < 2;
        isSlowDisk = random.nextInt(2) == 0;
        inSyncMin = random.nextInt(6) == 0 ? 2 : 1;
        isTailSmall = random.nextInt(4) == 0;
        isAutomatic = random.nextInt(3) != 0;
        faultRate = List.of(.01, .025, .05).get(random.nextInt(3)) * (hasHandOvers ? .4 : 1);
        metadataRate = random.nextInt(3) == 0 ? .02 : .1;
        isVicious = random.nextInt(3) == 0;
        mirrorDeadline = STEP_NANOS * (random.nextInt(3) == 0 || isVicious ? 500 : 60);
        isConsumedAtRest = random.nextBoolean() || role == Role.TARGET;
        consumeRate = random.nextInt(3) == 0 ? .1 : 1;
        if (random.nextInt(3) == 0 || isVicious) {
            network.slowDown(random);
        }
        for (int number = 1; number <= count; number++) {
            nodes.add(new SimulatedNode(this, number, new NodeName("n" + number)));
        }
    }

    LeaderSettings settings() {
        return new LeaderSettings(
                inSyncMin, isAutomatic, 2, 1 << 20, mirrorDeadline, isTailSmall ? 6 : 1 << 16, 1 << 20);
    }

    HandOver.Times handOverTimes() {
        return new HandOver.Times(20 * STEP_NANOS, 300 * STEP_NANOS);
    }

    long now() {
        return now;
    }

    void toggleSynchronisation() {
        isAutomatic = !isAutomatic;
    }

    Ledger ledger(long incarnation) {
        return ledgers.computeIfAbsent(
                incarnation,
                each -> new Ledger(
                        isDurable,
                        role != Role.SOURCE,
                        letter -> !letters.source.ledger(letter.boot()).isLossless()));
    }

    NodeName name(int number) {
        return nodes.get(number - 1).name;
    }

    void trace(Supplier<String> line) {
        if (isTraced) {
            System.out.println(now / STEP_NANOS + " " + line.get());
        }
    }

    // ---- the run

    /** @return what happened, for those who want to see that the faults bite */
    Coverage run() {
        build();
        for (int step = 0; step < STEPS; step++) {
            faultyStep();
        }
        rest();
        return coverage();
    }

    Coverage coverage() {
        ledgers.values().forEach(coverage::add);
        coverage.epochs = metadata.newest().placement(QUEUE).epoch() & 0xFFFFFFFFFFFFL;
        return coverage;
    }

    /** Which image of the other cluster a node has applied before it applies this one. */
    int otherThen(int image) {
        return othersThen.get(image);
    }

    void build() {
        apply(new ClusterCommand.Define(
                new DefinitionChange.PutVhost(new VhostDefinition(QUEUE.vhost(), "", List.of()))));
        apply(new ClusterCommand.Define(new DefinitionChange.PutPolicy(new PolicyDefinition(
                QUEUE.vhost(),
                "p",
                "",
                ApplyTo.QUEUES,
                0,
                Map.of("ha-mode", "all", "ha-promote-on-failure", isUncleanAllowed ? "always" : "when-synced")))));
        for (SimulatedNode each : nodes) {
            each.boot = 0;
            apply(new ClusterCommand.NodeUp(each.name, 1, each.store, false, each.damaged));
        }
        apply(declare());
        for (SimulatedNode each : nodes) {
            each.start();
        }
    }

    ClusterCommand declare() {
        return new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(new QueueDefinition(QUEUE, isDurable, false, false, Map.of()), null),
                nodes.stream().map(each -> each.name).toList());
    }

    private void apply(ClusterCommand command) {
        List<Promotion> promotions = metadata.apply(command);
        if (promotions == null) {
            return;
        }
        othersThen.add(letters == null ? 0 : letters.other(this).metadata.last());
        QueuePlacement placement = metadata.newest().placement(QUEUE);
        trace(() -> "META " + metadata.last() + " " + command + " → " + placement);
        for (Promotion each : promotions) {
            coverage.promotions.merge(each.kind(), 1, Integer::sum);
            ledger(each.incarnation()).promoted(each);
        }
        if (placement != null && placement.leader() != null) {
            checks.ofCommand(placement, promotions, command);
        }
        boolean isTurningPoint = command instanceof ClusterCommand.Join
                || command instanceof ClusterCommand.Move
                || command instanceof ClusterCommand.MergeDone;
        if (isVicious && isTurningPoint && !isResting && random.nextInt(2) == 0) {
            faults.failNow(placement);
        }
    }

    /** A step with its faults. */
    void faultyStep() {
        if (random.nextDouble() < faultRate) {
            faults.next();
        }
        step();
    }

    void step() {
        now += STEP_NANOS;
        double chance = random.nextDouble();
        if (chance < .4) {
            SimulatedNetwork.Packet packet = network.next(random);
            if (packet != null && nodes.get(packet.to()).isAlive) {
                nodes.get(packet.to()).received(packet);
            }
        } else if (chance < .5) {
            ClusterCommand command = chance < .4 + (isResting ? .1 : metadataRate) ? metadata.next() : null;
            if (command != null) {
                apply(command);
            }
        } else {
            SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
            if (node.isAlive) {
                act(node);
            }
        }
        if (now / STEP_NANOS % 7 == 0) {
            checks.ofMembers();
        }
    }

    private void act(SimulatedNode node) {
        handOver(node);
        if (random.nextBoolean() && !node.isCutOff && node.applied < metadata.last()) {
            node.applyNext();
            return;
        }
        switch (random.nextInt(14)) {
            case 0, 1 -> {
                if (!isSlowDisk || isResting || random.nextInt(6) == 0) {
                    node.fsync();
                }
            }
            case 2, 3 -> node.tick(now);
            case 4, 5, 6 -> {
                if (!isResting) {
                    node.inBatch(() -> node.client().publish(now));
                }
            }
            case 7, 8, 9 -> {
                if (isResting ? isConsumedAtRest : random.nextDouble() < consumeRate) {
                    node.inBatch(() -> node.client().consume(now));
                }
            }
            case 10, 11 -> node.runLater();
            case 12 -> {
                for (SimulatedNode peer : nodes) {
                    node.noticePeer(peer.number);
                }
            }
            default -> rarely(node);
        }
    }

    /** A policy wants another leader. */
    private void handOver(SimulatedNode node) {
        SimulatedReplica leading = node.replica;
        if (!hasHandOvers
                || isResting
                || leading == null
                || leading.leader == null
                || handOverRandom.nextInt(20) != 0) {
            return;
        }
        List<Integer> others = leading.placement.members().stream()
                .filter(each -> each.isInSync() && each.node() != node.number)
                .map(ReplicaSet.Member::node)
                .toList();
        if (!others.isEmpty()) {
            int to = others.get(handOverRandom.nextInt(others.size()));
            node.inBatch(() -> leading.beginHandOver(to));
        }
    }

    private void rarely(SimulatedNode node) {
        SimulatedReplica replica = node.replica;
        if (isResting || replica == null) {
            return;
        }
        if (random.nextInt(6) == 0) {
            node.checkpoint();
        } else if (random.nextInt(8) == 0) {
            node.inBatch(() -> node.client().closeChannel());
        } else if (replica.leader == null) {
            // Memory is short: what the journal has leaves it.
            replica.state.queue().live().runs();
            List<io.leveret.node.broker.message.MessageId> held = new ArrayList<>();
            replica.state.queue().live().forEach(entry -> held.add(entry.id()));
            held.forEach(replica.state.queue().live()::detach);
        } else if (hasQueueChanges && random.nextInt(6) == 0) {
            node.inBatch(() -> coverage.purged += replica.queue.purge());
        } else if (random.nextInt(3) == 0) {
            node.inBatch(() -> replica.leader.synchronise());
        } else if (random.nextInt(3) == 0) {
            node.inBatch(() -> replica.leader.cancelSynchronise());
        }
    }

    void addMissing() {
        QueuePlacement placement = metadata.newest().placement(QUEUE);
        if (placement == null) {
            return;
        }
        for (SimulatedNode each : nodes) {
            if (placement.replica(each.name) == null) {
                metadata.command(new ClusterCommand.AddReplica(List.of(
                        new ClusterCommand.AddReplica.Step(placement.incarnation(), each.name, placement.version()))));
                return;
            }
        }
    }

    // ---- peace

    private void rest() {
        beginRest();
        for (int step = 0; step < REST_STEPS; step++) {
            step();
            if (step % 50 == 0) {
                repair(step);
                if (isAtRest()) {
                    checks.atRest();
                    return;
                }
            }
        }
        throw noRest();
    }

    Violation noRest() {
        return new Violation("I10 no rest: " + metadata.newest().placement(QUEUE) + " unanswered "
                + nodes.stream().map(each -> each.client().unanswered()).toList());
    }

    void beginRest() {
        isResting = true;
        network.unblockAll();
        for (SimulatedNode each : nodes) {
            each.isCutOff = false;
            if (!each.isAlive) {
                each.damaged = Set.of();
                each.start();
            }
        }
    }

    void repair(int step) {
        QueuePlacement placement = metadata.newest().placement(QUEUE);
        if (placement == null) {
            metadata.command(declare());
            return;
        }
        addMissing();
        if (placement.leader() == null && step > 3000 && step % 1000 == 0) {
            metadata.command(new ClusterCommand.ForceLeader(placement.incarnation()));
        }
        nodes.stream()
                .filter(each -> each.replica != null && each.replica.leader != null)
                .forEach(each -> each.inBatch(() -> each.replica.leader.synchronise()));
    }

    boolean isAtRest() {
        ClusterImage image = metadata.newest();
        QueuePlacement placement = image.placement(QUEUE);
        if (placement == null
                || placement.leader() == null
                || placement.replicas().size() != nodes.size()) {
            return false;
        }
        for (Replica each : placement.replicas()) {
            if (!each.isInSync() || each.isAbandoned()) {
                return false;
            }
        }
        SimulatedReplica leader = nodes.get(SimulatedMetadata.number(image, placement.leader()) - 1).replica;
        if (leader == null || leader.leader == null || !leader.leader.isQuiet()) {
            return false;
        }
        for (SimulatedNode each : nodes) {
            boolean isSame = each.applied == metadata.last()
                    && each.isReady
                    && each.client().unanswered() == 0
                    && each.replica != null
                    && each.replica.state.end().equals(leader.state.end())
                    && (each.replica == leader || each.replica.mirror.isStreaming());
            if (!isSame) {
                return false;
            }
        }
        return true;
    }

    /** The leader, at rest. */
    SimulatedReplica leadingReplica() {
        QueuePlacement placement = metadata.newest().placement(QUEUE);
        return nodes.get(SimulatedMetadata.number(metadata.newest(), placement.leader()) - 1).replica;
    }
}
