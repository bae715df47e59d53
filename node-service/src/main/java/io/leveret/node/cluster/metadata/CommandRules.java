package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.cluster.metadata.ClusterCommand.AddReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.Declare;
import io.leveret.node.cluster.metadata.ClusterCommand.Define;
import io.leveret.node.cluster.metadata.ClusterCommand.Delete;
import io.leveret.node.cluster.metadata.ClusterCommand.Expire;
import io.leveret.node.cluster.metadata.ClusterCommand.ForceLeader;
import io.leveret.node.cluster.metadata.ClusterCommand.ForgetNode;
import io.leveret.node.cluster.metadata.ClusterCommand.Form;
import io.leveret.node.cluster.metadata.ClusterCommand.Join;
import io.leveret.node.cluster.metadata.ClusterCommand.MergeDone;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeDown;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeLeaving;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeUp;
import io.leveret.node.cluster.metadata.ClusterCommand.Open;
import io.leveret.node.cluster.metadata.ClusterCommand.RaiseGeneration;
import io.leveret.node.cluster.metadata.ClusterCommand.RemoveReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.SetDraining;
import io.leveret.node.cluster.metadata.ClusterCommand.Shrink;
import io.leveret.node.cluster.metadata.PlacementEdit.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/** Which rule a command follows, and the checks of PROTOCOL.md §2's table. Effects on one queue: {@link PlacementEdit}. */
final class CommandRules {
    private static final int GENERATION_MAX = 0x7fff;

    private static final Map<Class<? extends ClusterCommand>, Rule<? extends ClusterCommand>> RULES = Map.ofEntries(
            rule(Define.class, CommandRules::define),
            rule(Declare.class, CommandRules::declare),
            rule(Form.class, CommandRules::form),
            rule(NodeUp.class, NodeRules::up),
            rule(NodeDown.class, (edit, c) -> NodeRules.down(edit, c.node(), c.boot(), Cause.FAILURE)),
            rule(NodeLeaving.class, (edit, c) -> NodeRules.down(edit, c.node(), c.boot(), Cause.STOP)),
            rule(SetDraining.class, NodeRules::setDraining),
            rule(ForgetNode.class, NodeRules::forget),
            rule(Open.class, CommandRules::open),
            rule(Join.class, CommandRules::join),
            rule(Shrink.class, CommandRules::shrink),
            rule(Move.class, CommandRules::move),
            rule(MergeDone.class, CommandRules::mergeDone),
            rule(AddReplica.class, CommandRules::addReplica),
            rule(RemoveReplica.class, CommandRules::removeReplica),
            rule(Delete.class, CommandRules::delete),
            rule(Expire.class, CommandRules::expire),
            rule(ForceLeader.class, CommandRules::forceLeader),
            rule(RaiseGeneration.class, CommandRules::raiseGeneration));

    private CommandRules() {}

    /** Checks a command against the image in the edit, then edits it; edits nothing when it refuses. */
    private interface Rule<C extends ClusterCommand> {
        Outcome apply(ClusterEdit edit, C command);
    }

    private static <C extends ClusterCommand>
            Map.Entry<Class<? extends ClusterCommand>, Rule<? extends ClusterCommand>> rule(
                    Class<C> type, Rule<C> rule) {
        return Map.entry(type, rule);
    }

    @SuppressWarnings("unchecked") // the table pairs each class with the rule of its own commands
    static Outcome apply(ClusterEdit edit, ClusterCommand command) {
        Rule<ClusterCommand> rule = (Rule<ClusterCommand>) RULES.get(command.getClass());
        if (rule == null) {
            throw new IllegalStateException("no rule for " + command.getClass());
        }
        return rule.apply(edit, command);
    }

    static Outcome stale(String reason) {
        return Outcome.refused(RefusalKind.STALE, reason);
    }

    private static Outcome define(ClusterEdit edit, Define command) {
        if (command.change() instanceof DefinitionChange.DeclareQueue declare) {
            return declare(edit, new Declare(declare, List.of()));
        }
        return edit.define(command.change());
    }

    private static Outcome declare(ClusterEdit edit, Declare command) {
        DefinitionChange.Applied applied = command.change().applyTo(edit.definitions);
        if (applied.outcome().kind() != Outcome.Kind.CREATED) {
            return applied.outcome();
        }
        QueueOwner owner = command.change().owner();
        if (owner != null && !isThere(edit, owner)) {
            return stale("the node of the owning connection restarted");
        }
        List<NodeName> nodes = command.replicas().stream()
                .distinct()
                .filter(each -> canHoldQueues(edit, each))
                .toList();
        if (nodes.isEmpty()) {
            return Outcome.refused(RefusalKind.UNAVAILABLE, "no node can hold the queue now");
        }
        edit.accept(applied);
        long first = edit.next(0);
        List<Replica> replicas = nodes.stream()
                .map(node -> new Replica(node, first, 0, true, true, false))
                .toList();
        edit.put(new QueuePlacement(
                command.change().queue().name(),
                edit.incarnation(),
                first,
                nodes.get(0),
                first,
                true,
                0,
                false,
                replicas));
        return applied.outcome();
    }

    private static boolean isThere(ClusterEdit edit, QueueOwner owner) {
        ClusterNode node = edit.nodes.get(owner.node());
        return node != null && node.isLive() && node.boot() == owner.boot();
    }

    private static boolean canHoldQueues(ClusterEdit edit, NodeName name) {
        ClusterNode node = edit.nodes.get(name);
        return node != null && node.canHoldQueues();
    }

    private static Outcome form(ClusterEdit edit, Form command) {
        if (edit.isFormed) {
            return Outcome.UNCHANGED;
        }
        command.changes().forEach(edit::define);
        edit.isFormed = true;
        return Outcome.CREATED;
    }

    private static Outcome open(ClusterEdit edit, Open command) {
        return each(
                edit,
                command.steps(),
                Open.Step::incarnation,
                (placement, step) ->
                        placement.epoch() == step.epoch() && placement.leader() != null && !placement.isOpened(),
                (placement, step) -> placement.open());
    }

    private static Outcome join(ClusterEdit edit, Join command) {
        return each(
                edit,
                command.steps(),
                Join.Step::incarnation,
                (placement, step) -> {
                    Replica replica = placement.replica(step.node());
                    ClusterNode node = edit.nodes.get(step.node());
                    return placement.epoch() == step.epoch()
                            && placement.version() == step.version()
                            && placement.leader() != null
                            && node != null
                            && node.isLive()
                            && node.boot() == step.boot()
                            && replica != null
                            && replica.generation() == step.generation()
                            && !replica.isInSync()
                            && !replica.isAbandoned();
                },
                (placement, step) -> placement.join(step.node()));
    }

    private static Outcome shrink(ClusterEdit edit, Shrink command) {
        return each(
                edit,
                command.steps(),
                Shrink.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch()
                        && placement.leader() != null
                        && !placement.isLedBy(step.node())
                        && placement.isInSync(step.node()),
                (placement, step) -> placement.leave(step.node()));
    }

    private static Outcome move(ClusterEdit edit, Move command) {
        return each(
                edit,
                command.steps(),
                Move.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch()
                        && placement.version() == step.version()
                        && placement.leader() != null
                        && !placement.isLedBy(step.to())
                        && placement.isInSync(step.to())
                        && edit.isLive(step.to()),
                (placement, step) -> placement.move(step.to()));
    }

    private static Outcome mergeDone(ClusterEdit edit, MergeDone command) {
        return each(
                edit,
                command.steps(),
                MergeDone.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch()
                        && placement.version() == step.version()
                        && placement.isAbandoned(step.node()),
                (placement, step) -> placement.merged(step.node()));
    }

    private static Outcome addReplica(ClusterEdit edit, AddReplica command) {
        return each(
                edit,
                command.steps(),
                AddReplica.Step::incarnation,
                (placement, step) -> placement.version() == step.version()
                        && placement.replica(step.node()) == null
                        && canHoldQueues(edit, step.node()),
                (placement, step) -> placement.add(step.node()));
    }

    private static Outcome removeReplica(ClusterEdit edit, RemoveReplica command) {
        return each(
                edit,
                command.steps(),
                RemoveReplica.Step::incarnation,
                (placement, step) -> placement.version() == step.version()
                        && placement.isOpened()
                        && placement.replica(step.node()) != null
                        && !placement.isLedBy(step.node())
                        && (step.isForced() || placement.abandoned().isEmpty()),
                (placement, step) -> placement.remove(step.node()));
    }

    private static Outcome delete(ClusterEdit edit, Delete command) {
        List<QueueName> queues = new ArrayList<>();
        for (long incarnation : command.incarnations()) {
            QueuePlacement placement = edit.placement(incarnation);
            if (placement != null) {
                queues.add(placement.queue());
            }
        }
        return queues.isEmpty()
                ? stale("no such queue any more")
                : edit.define(new DefinitionChange.DeleteLost(queues, List.of()));
    }

    /** A leader that was replaced does not know who used the queue since. */
    private static Outcome expire(ClusterEdit edit, Expire command) {
        List<QueueName> queues = new ArrayList<>();
        for (Expire.Step step : command.steps()) {
            QueuePlacement placement = edit.placement(step.incarnation());
            if (placement != null && placement.epoch() == step.epoch()) {
                queues.add(placement.queue());
            }
        }
        return queues.isEmpty()
                ? stale("no such queue or leadership any more")
                : edit.define(new DefinitionChange.DeleteLost(queues, List.of()));
    }

    private static Outcome forceLeader(ClusterEdit edit, ForceLeader command) {
        QueuePlacement placement = edit.placement(command.incarnation());
        if (placement == null) {
            return stale("no such queue any more");
        }
        if (placement.leader() != null) {
            return Outcome.refused(
                    RefusalKind.PRECONDITION_FAILED,
                    "queue " + placement.queue() + " is led by " + placement.leader() + "; nothing to force");
        }
        PlacementEdit queue = new PlacementEdit(edit, placement);
        if (!queue.force()) {
            return Outcome.refused(
                    RefusalKind.UNAVAILABLE, "no node that holds queue " + placement.queue() + " is running");
        }
        queue.finish();
        return Outcome.UPDATED;
    }

    private static Outcome raiseGeneration(ClusterEdit edit, RaiseGeneration command) {
        if (command.generation() <= edit.generation || command.generation() > GENERATION_MAX) {
            return stale("the generation is " + edit.generation);
        }
        edit.generation = command.generation();
        return Outcome.UPDATED;
    }

    /** Runs the steps of a command in order, each against what the earlier ones left. */
    private static <S> Outcome each(
            ClusterEdit edit,
            List<S> steps,
            ToLongFunction<S> incarnation,
            BiPredicate<QueuePlacement, S> fits,
            BiConsumer<PlacementEdit, S> effect) {
        int done = 0;
        for (S step : steps) {
            QueuePlacement placement = edit.placement(incarnation.applyAsLong(step));
            if (placement != null && fits.test(placement, step)) {
                PlacementEdit queue = new PlacementEdit(edit, placement);
                effect.accept(queue, step);
                queue.finish();
                done++;
            }
        }
        return done == 0 ? stale("the queue is no longer in the state that the command was made for") : Outcome.UPDATED;
    }
}
