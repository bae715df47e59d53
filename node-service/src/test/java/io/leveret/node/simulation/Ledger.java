package io.leveret.node.simulation;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.cluster.metadata.Promotion;
import io.leveret.node.cluster.replication.ChannelKey;
import io.leveret.node.cluster.replication.ReplicaRecord;
import io.leveret.node.cluster.replication.ReplicaRecordCodec;
import io.leveret.node.cluster.replication.ReplicaSet;
import io.leveret.node.cluster.replication.ReplicaState;
import io.leveret.node.cluster.replication.Seams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What the world outside saw of one life of a queue, and the invariants over it. A message is named by its origin. */
final class Ledger {
    /** Where a confirmed message was held: replicas that were in sync, by node, boot and generation. */
    record Confirm(boolean isPersistent, List<ReplicaSet.Member> inSync) {}

    private record Lossy(long epoch, Promotion.Kind kind) {}

    private record Settle(MessageId event, Origin message) {}

    private final boolean isDurable;
    private final Map<MessageId, byte[]> events = new HashMap<>();
    private final Map<MessageId, Origin> messages = new HashMap<>();
    private final Map<Origin, List<MessageId>> ids = new HashMap<>();
    private final Map<Origin, Confirm> answers = new HashMap<>();
    private final Map<Origin, Confirm> confirmed = new LinkedHashMap<>();
    /** Acks in transactions whose commit was answered: the epoch that answered. */
    private final Map<Origin, Long> ackAnswered = new HashMap<>();

    private final Map<Origin, Long> answerEpochs = new HashMap<>();
    private final Set<Origin> refused = new HashSet<>();
    private final Set<Origin> acked = new HashSet<>();
    /** Dropped by the leader's own decision, with the events that did it. */
    private final Map<Origin, List<MessageId>> dropped = new HashMap<>();

    private final List<MessageId> purges = new ArrayList<>();
    private final List<Lossy> lossy = new ArrayList<>();
    private final Map<Long, List<Origin>> confirmedWhenRecovered = new HashMap<>();
    private List<Settle> uncommitted = new ArrayList<>();
    private List<Settle> notOnDisk = new ArrayList<>();
    /** The epoch in which the ack of a message was committed: received, and on disk. */
    private final Map<Origin, Long> ackCommitted = new HashMap<>();

    private final Map<Origin, Long> ackOnDisk = new HashMap<>();
    private final Map<Origin, List<Long>> deliveries = new HashMap<>();
    private final Map<ChannelKey, Long> highestDelivered = new HashMap<>();

    /** What publishes of dead letters brought: their messages have names of their own. */
    private final Map<Origin, Origin> named = new HashMap<>();
    /** Settled as dead letters, with the events that did it. */
    private final Map<MessageId, List<MessageId>> deadLetters = new HashMap<>();
    /** Settled as copies. */
    private final Set<MessageId> duplicates = new HashSet<>();

    /** Of a source of dead letters, no: what is on its way out when the leader fails is in the queue again. */
    private final boolean isInOrder;
    /** Whether the source of a dead letter has lost what was on disk: then it may send again what it had settled. */
    private final Predicate<Origin> hasLossySource;

    Ledger(boolean isDurable, boolean isInOrder, Predicate<Origin> hasLossySource) {
        this.hasLossySource = hasLossySource;
        this.isInOrder = isInOrder;
        this.isDurable = isDurable;
    }

    int confirmedCount() {
        return confirmed.size();
    }

    int ackedCount() {
        return acked.size();
    }

    int committedCount() {
        return ackAnswered.size();
    }

    int lossyCount() {
        return lossy.size();
    }

    int refusedCount() {
        return refused.size();
    }

    void promoted(Promotion promotion) {
        switch (promotion.kind()) {
            case RECOVERED, UNCLEAN, FORCED -> {
                lossy.add(new Lossy(promotion.epoch(), promotion.kind()));
                List<Origin> persistent = new ArrayList<>();
                confirmed.forEach((message, confirm) -> {
                    if (confirm.isPersistent()) {
                        persistent.add(message);
                    }
                });
                confirmedWhenRecovered.put(promotion.epoch(), persistent);
            }
            default -> {}
        }
    }

    /** An event was appended by a leader. */
    void appended(ReplicaRecord.Event event) {
        byte[] content = ReplicaRecordCodec.encode(event);
        byte[] before = events.putIfAbsent(event.id(), content);
        if (before != null) {
            if (!Arrays.equals(before, content)) {
                throw new Violation("I2 id " + event.id() + " names two events, now " + event);
            }
            return;
        }
        if (event instanceof ReplicaRecord.Purged purged) {
            purged(purged.id(), purged.event().ids());
        } else if (event instanceof ReplicaRecord.Queued queued) {
            if (queued.event() instanceof QueueEvent.Published published) {
                Message message = published.message();
                messages.put(queued.id(), message.origin());
                ids.computeIfAbsent(message.origin(), each -> new ArrayList<>()).add(queued.id());
            } else if (queued.event() instanceof QueueEvent.Settled settled) {
                settled(queued.id(), settled);
            }
        }
    }

    /** A leader purged. */
    void purged(MessageId event, IdRuns purged) {
        if (!purges.contains(event)) {
            purges.add(event);
            forEach(purged, id -> drop(id, event));
        }
    }

    private void settled(MessageId event, QueueEvent.Settled settled) {
        switch (settled.why()) {
            case ACKED, REJECTED ->
                forEach(settled.ids(), id -> {
                    Origin message = messages.get(id);
                    if (message != null) {
                        acked.add(message);
                        uncommitted.add(new Settle(event, message));
                    }
                });
            case DEAD_LETTERED ->
                forEach(settled.ids(), id -> {
                    deadLetters.computeIfAbsent(id, each -> new ArrayList<>()).add(event);
                    drop(id, event);
                });
            case DUPLICATE -> forEach(settled.ids(), duplicates::add);
            case OVERFLOW -> forEach(settled.ids(), id -> drop(id, event));
            default -> {}
        }
    }

    private void drop(MessageId id, MessageId event) {
        Origin message = messages.get(id);
        if (message != null) {
            dropped.computeIfAbsent(message, each -> new ArrayList<>()).add(event);
        }
    }

    private static void forEach(IdRuns runs, java.util.function.Consumer<MessageId> visitor) {
        for (int run = 0; run < runs.count(); run++) {
            for (long index = runs.first(run); index <= runs.last(run); index++) {
                visitor.accept(new MessageId(runs.epoch(run), index));
            }
        }
    }

    /**
     * A leader has moved on with its commits. What a lossy promotion found is not asked: a replica that was being made like
     * another leader counts events whose effect it may not have.
     */
    void committed(long epoch, ReplicaState state, MessageId received, MessageId durable) {
        if (lossy.stream().anyMatch(each -> each.epoch() == epoch)) {
            MessageId own = new MessageId(epoch, 0);
            uncommitted.removeIf(each -> each.event().compareTo(own) < 0);
            notOnDisk.removeIf(each -> each.event().compareTo(own) < 0);
        }
        uncommitted = passed(uncommitted, epoch, state, received, settle -> {
            ackCommitted.putIfAbsent(settle.message(), epoch);
            notOnDisk.add(settle);
        });
        notOnDisk = passed(notOnDisk, epoch, state, durable, settle -> ackOnDisk.putIfAbsent(settle.message(), epoch));
    }

    private static List<Settle> passed(
            List<Settle> waiting,
            long epoch,
            ReplicaState state,
            MessageId point,
            java.util.function.Consumer<Settle> visitor) {
        if (waiting.isEmpty()) {
            return waiting;
        }
        List<Settle> left = new ArrayList<>();
        for (Settle each : waiting) {
            boolean isPassed = each.event().compareTo(point) <= 0
                    && each.event().epoch() <= epoch
                    && Seams.has(state, each.event());
            if (isPassed) {
                visitor.accept(each);
            } else {
                left.add(each);
            }
        }
        return left;
    }

    /** A leader answers publishes. */
    void answering(ChannelKey channel, long from, long to, ReplicaSet placement) {
        List<ReplicaSet.Member> inSync =
                placement.members().stream().filter(ReplicaSet.Member::isInSync).toList();
        for (long number = from; number <= to; number++) {
            answers.put(origin(channel, number), new Confirm(false, inSync));
            answerEpochs.put(origin(channel, number), placement.epoch());
        }
    }

    /** A leader refuses publishes; its word may be lost, and the next leader take them. */
    void refusing(ChannelKey channel, long from, long to) {
        for (long number = from; number <= to; number++) {
            refused.add(origin(channel, number));
        }
    }

    /** An origin tells its client. */
    void answered(ChannelKey channel, long number, boolean isPersistent, boolean isConfirmed) {
        Origin message = origin(channel, number);
        if (isConfirmed) {
            Confirm answer = answers.get(message);
            if (answer == null) {
                throw new Violation("I1 " + message + " confirmed, and no leader did");
            }
            confirmed.put(message, new Confirm(isPersistent && isDurable, answer.inSync()));
        } else {
            refused.add(message);
        }
    }

    /** An origin tells its client that acks are committed. */
    void committed(ChannelKey channel, long number, List<Origin> messages) {
        Long epoch = answerEpochs.get(origin(channel, number));
        if (epoch == null) {
            throw new Violation("I5 " + channel + " " + number + " committed acks, and no leader did");
        }
        messages.forEach(each -> ackAnswered.putIfAbsent(each, epoch));
    }

    private Origin origin(ChannelKey channel, long number) {
        Origin publish = new Origin(channel.node(), channel.boot(), channel.channel(), number);
        return named.getOrDefault(publish, publish);
    }

    /** The publish is of a dead letter. */
    void named(ChannelKey channel, long number, Origin letter) {
        named.put(new Origin(channel.node(), channel.boot(), channel.channel(), number), letter);
    }

    /** Whether nothing was ever left behind that was on disk. */
    boolean isLossless() {
        return lossy.stream().allMatch(each -> each.kind() == Promotion.Kind.RECOVERED);
    }

    /** The messages that have left as dead letters, as the last leader knows it. */
    List<MessageId> deadLetters(ReplicaState leader) {
        return deadLetters.entrySet().stream()
                .filter(each -> each.getValue().stream().anyMatch(event -> Seams.has(leader, event)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /**
     * A dead letter that has left its source is here, or somebody has had it; and it came only once. After a recovery it may
     * have come twice, marked, as what one leader had not yet committed another was sent again.
     */
    void checkLetter(Origin letter, ReplicaState leader) {
        List<MessageId> here = ids.getOrDefault(letter, List.of()).stream()
                .filter(id -> Seams.knows(leader, id) && !duplicates.contains(id))
                .toList();
        if (here.isEmpty() || (here.size() > 1 && lossy.isEmpty())) {
            throw new Violation("dead letter " + letter + " came as " + here + " of " + ids.get(letter));
        }
        if (!isHeld(letter, leader) && !acked.contains(letter) && !isDropped(letter, leader)) {
            throw new Violation("dead letter " + letter + " is lost");
        }
    }

    /** A leader delivers. */
    void delivered(long epoch, Message message, boolean isRedelivered) {
        Origin origin = message.origin();
        List<Long> before = deliveries.computeIfAbsent(origin, each -> new ArrayList<>());
        boolean wasDropped = dropped.containsKey(origin);
        checkAck(epoch, origin, ackOnDisk, wasDropped, Set.of(Promotion.Kind.UNCLEAN, Promotion.Kind.FORCED));
        checkAck(epoch, origin, ackAnswered, wasDropped, Set.of(Promotion.Kind.UNCLEAN, Promotion.Kind.FORCED));
        checkAck(
                epoch,
                origin,
                ackCommitted,
                wasDropped,
                Set.of(Promotion.Kind.UNCLEAN, Promotion.Kind.FORCED, Promotion.Kind.RECOVERED));
        if (!isRedelivered && before.stream().anyMatch(each -> each <= epoch)) {
            throw new Violation("I5 " + origin + " delivered again in epoch " + epoch + " without redelivered");
        }
        if (before.isEmpty()
                && lossy.isEmpty()
                && !wasDropped
                && !refused.contains(origin)
                && isInOrder
                && !origin.isLetter()) {
            ChannelKey channel = new ChannelKey(origin.node(), origin.boot(), origin.channel());
            long highest = highestDelivered.getOrDefault(channel, 0L);
            if (origin.number() < highest) {
                throw new Violation("I4 " + origin + " first delivered after number " + highest);
            }
            highestDelivered.put(channel, origin.number());
        }
        before.add(epoch);
    }

    private void checkAck(
            long epoch, Origin origin, Map<Origin, Long> acks, boolean wasDropped, Set<Promotion.Kind> excuses) {
        Long acknowledged = acks.get(origin);
        if (acknowledged == null || acknowledged > epoch || wasDropped) {
            return;
        }
        // What was refused, at the deadline for one, is not sent again: nobody notes that another leader took it, too.
        if (refused.contains(origin) && !lossy.isEmpty()) {
            return;
        }
        if (origin.isLetter() && hasLossySource.test(origin)) {
            return;
        }
        boolean isExcused = lossy.stream()
                .anyMatch(
                        each -> excuses.contains(each.kind()) && acknowledged < each.epoch() && each.epoch() <= epoch);
        if (!isExcused) {
            throw new Violation(
                    "I5 " + origin + " delivered in epoch " + epoch + ", its ack was committed in " + acknowledged);
        }
    }

    private boolean isHeld(Origin message, ReplicaState state) {
        for (MessageId id : ids.getOrDefault(message, List.of())) {
            if (state.queue().live().contains(id)) {
                return true;
            }
        }
        return false;
    }

    /** An intact member holds every confirmed message that nobody settled, while nothing was ever left behind. */
    void checkMember(int node, ReplicaState state) {
        if (!lossy.isEmpty()) {
            return;
        }
        confirmed.forEach((message, confirm) -> {
            if (!acked.contains(message)
                    && !dropped.containsKey(message)
                    && !isHeld(message, state)
                    && purges.isEmpty()) {
                throw new Violation("I3 member " + node + " lacks confirmed " + message);
            }
        });
    }

    /**
     * A holder that recovers leadership has every persistent message that was confirmed when it was chosen, if all before was
     * clean or recovered.
     */
    void checkRecovered(int node, long epoch, ReplicaState state) {
        List<Origin> wanted = confirmedWhenRecovered.getOrDefault(epoch, List.of());
        boolean isTold =
                lossy.stream().allMatch(each -> each.kind() == Promotion.Kind.RECOVERED || each.epoch() > epoch);
        if (!isTold || !purges.isEmpty()) {
            return;
        }
        for (Origin message : wanted) {
            if (!acked.contains(message) && !dropped.containsKey(message) && !isHeld(message, state)) {
                throw new Violation("I1 recovered leader " + node + " lacks confirmed persistent " + message);
            }
        }
    }

    /** All faults are over. @param placement of the end, which tells who still has the memory and the disk of then */
    void checkEnd(ReplicaState leader, ReplicaSet placement) {
        confirmed.forEach((message, confirm) -> {
            if (isHeld(message, leader) || acked.contains(message) || isDropped(message, leader)) {
                return;
            }
            for (ReplicaSet.Member then : confirm.inSync()) {
                ReplicaSet.Member now = placement.member(then.node());
                boolean isThere = now != null
                        && now.generation() == then.generation()
                        && (confirm.isPersistent() || now.boot() == then.boot());
                if (isThere) {
                    throw new Violation("I1 confirmed " + (confirm.isPersistent() ? "persistent " : "transient ")
                            + message + " " + ids.get(message) + " is lost; in sync was " + confirm.inSync());
                }
            }
        });
    }

    /** Dropped or purged by a leader of some time, and that is what the last leader knows of it. */
    private boolean isDropped(Origin message, ReplicaState leader) {
        boolean isGone = dropped.containsKey(message);
        for (MessageId id : ids.getOrDefault(message, List.of())) {
            // A purge also ends what its leader did not know of.
            boolean isPurged = purges.stream().anyMatch(purge -> id.compareTo(purge) < 0);
            if ((isGone || isPurged) && Seams.knows(leader, id)) {
                return true;
            }
        }
        return false;
    }
}
