package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.broker.queue.QueueState;
import io.leveret.node.cluster.replication.ReplicaRecord.Event;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that one replica of a queue holds, led here or mirrored (PROTOCOL.md §1).
 *
 * <pre>
 * live    the messages                          known  ids whose fate is known: live, or settled if not live
 * ends    which events were applied             dedupe which publishes were accepted
 * tail    events not known to be committed, newest last, each with what undoes it; what precedes it is base
 *
 * apply ──► tail ──commit(point)──► base        tail ──truncate(point)──► undone, newest first
 * </pre>
 *
 * <b>Transient messages are not journalled, and what a restart finds is still a state of one earlier moment.</b> Their
 * Published records are left out; all else that names them (Settled, Purged, Cut, Learned) is written. So after a restart an
 * id that was live is in no record: unknown, as it must be; one that was settled stands in the record that settled it:
 * known. {@code ends} may stop short of transient messages at the end, and dedupe may lack their numbers. Neither is relied
 * upon: a restarted replica is no member, so its events are compared by id and not by {@code ends}; the numbers of an origin
 * above the highest are accepted again, in order, since nothing here holds them. Records that hold {@code known} are written
 * without the transient messages that are live.
 *
 * <p>An event's own id counts as known, whatever it is: the set then has no hole for each settle. What only forgets (floors,
 * the end of a channel, a thaw) takes effect at commit, so it needs no undo.
 *
 * <p>Owned by the queue's executor. Bound: the tail, by {@link LeaderCore}'s back-pressure.
 */
public final class ReplicaState {
    /** While records are read back, how many events may yet be truncated: twice what a tail may hold before it pushes back. */
    static final int RECOVERY_TAIL_MAX = 1 << 17;

    private final QueueState queue = new QueueState();
    private final LiveMessages live = queue.live();
    private final boolean isDurable;
    private final Rules rules;
    private final RunSet known;
    private RunSet fleeting = new RunSet();
    private final ArrayDeque<TailEvent> tail = new ArrayDeque<>();
    private final DurableTrack disk = new DurableTrack();
    private Ends ends;
    private Dedupe dedupe;
    private MessageId end;
    private MessageId baseEnd;
    private long tailBytes;
    private ReplicaRecord.@Nullable HandOver handOver;
    /** An empty replica. @param isDurable whether the queue is: if not, nothing of it is journalled */
    public ReplicaState(boolean isDurable) {
        this(isDurable, Rules.ALL);
    }

    ReplicaState(boolean isDurable, Rules rules) {
        this(isDurable, rules, MessageId.ZERO, MessageId.ZERO, new Ends(), new RunSet(), new Dedupe());
    }

    /** A state that was written down; its messages and its tail are put in by {@link ReplicaCheckpoint}. */
    ReplicaState(
            boolean isDurable, Rules rules, MessageId end, MessageId baseEnd, Ends ends, RunSet known, Dedupe dedupe) {
        this.isDurable = isDurable;
        this.rules = rules;
        this.end = end;
        this.baseEnd = baseEnd;
        this.ends = ends;
        this.known = known;
        this.dedupe = dedupe;
    }

    /** What the broker sees. */
    public QueueState queue() {
        return queue;
    }

    public boolean isDurable() {
        return isDurable;
    }

    /** Last event applied. */
    public MessageId end() {
        return end;
    }

    /** Last event known to be committed. */
    public MessageId baseEnd() {
        return baseEnd;
    }

    /** So many records of those that went to {@link ReplicaOutput#append} are on disk. */
    public void durable(long count) {
        disk.durable(count);
    }

    /** Records that went to {@link ReplicaOutput#append} so far. */
    public long appendedCount() {
        return disk.count();
    }

    Rules rules() {
        return rules;
    }

    RunSet known() {
        return known;
    }

    Ends ends() {
        return ends;
    }

    Dedupe dedupe() {
        return dedupe;
    }

    MessageId durableEnd() {
        return disk.end(end);
    }

    long durableCount() {
        return disk.durableCount();
    }

    /** The last word of a leader on what it has delivered. */
    ReplicaRecord.@Nullable HandOver handOver() {
        return handOver;
    }

    ArrayDeque<TailEvent> tail() {
        return tail;
    }

    int tailEvents() {
        return tail.size();
    }

    long tailBytes() {
        return tailBytes;
    }

    /** The ids of the tail. */
    RunSet tailIds() {
        RunSet ids = new RunSet();
        for (TailEvent each : tail) {
            ids.add(each.event.id());
        }
        return ids;
    }

    /** Shows the events after the point, oldest first. They are in the tail, or the caller asks for what is committed. */
    void forEachAfter(MessageId point, Consumer<Event> visitor) {
        for (TailEvent each : tail) {
            if (each.event.id().compareTo(point) > 0) {
                visitor.accept(each.event);
            }
        }
    }

    /** Journals a record that was just applied, if it lasts. @param endBefore the end before it */
    void journal(ReplicaRecord record, MessageId endBefore, ReplicaOutput output) {
        if (!isDurable || !LastingRecords.isLasting(record)) {
            return;
        }
        TailEvent last = tail.peekLast();
        if (last != null && !last.removed.isEmpty() && !last.isJournalled) {
            last.isJournalled = true;
            ReplicaRecord.Passed passed = LastingRecords.passed(last, dedupe);
            if (passed != null) {
                disk.appended(endBefore.epoch(), endBefore.index());
                output.append(passed);
            }
        }
        disk.appended(endBefore.epoch(), endBefore.index());
        output.append(record);
    }

    /** Applies the next event. */
    void apply(Event event) {
        MessageId id = event.id();
        TailEvent entry = new TailEvent(event);
        if (event instanceof ReplicaRecord.Queued queued) {
            applyQueued(entry, id, queued.event());
        } else if (event instanceof ReplicaRecord.Purged purged) {
            queue.apply(purged.event(), id, entry::addRemoved);
            RunSet lower = RunSet.range(MessageId.ZERO, id);
            lower.removeAll(purged.kept());
            learn(entry, lower);
        } else if (event instanceof ReplicaRecord.Merged merged) {
            applyMerged(entry, merged.copy());
        } else if (event instanceof ReplicaRecord.Learned learned) {
            learn(entry, learned.ids());
        } else if (event instanceof ReplicaRecord.Twins twins) {
            learn(entry, twins.ids());
            fleeting.addAll(entry.learned == null ? new RunSet() : entry.learned);
        } else if (event instanceof ReplicaRecord.Resent resent) {
            noteResent(entry, resent.origin(), resent.held());
        } else if (event instanceof ReplicaRecord.Freeze freeze && rules.has(Rule.FREEZE_STOPS_TRIMMING)) {
            dedupe.recallFormer(known, live::contains);
            dedupe.freeze(freeze.lossyEpoch());
        } else if (event instanceof ReplicaRecord.Thaw) {
            entry.frozen = dedupe.thaw();
        } else if (event instanceof ReplicaRecord.HandOver said) {
            handOver = said;
        }
        known.add(id.epoch(), id.index());
        ends.set(id.epoch(), id.index());
        end = id;
        tail.add(entry);
    }

    private void applyQueued(TailEvent entry, MessageId id, QueueEvent event) {
        if (event instanceof QueueEvent.Published published) {
            live.add(LiveMessage.of(id, published));
            tailBytes += published.message().memoryBytes();
            Origin origin = published.origin();
            if (origin != null) {
                entry.highestBefore = dedupe.accept(origin, id.epoch(), id.index());
                if (published.isAgain()) {
                    noteResent(entry, origin, id);
                }
            }
            return;
        }
        queue.apply(event, id, entry::addRemoved);
        for (LiveMessage each : entry.removed) {
            tailBytes += each.bodyBytes();
        }
        if (event instanceof QueueEvent.Settled settled) {
            learnSettled(entry, settled.ids());
            if (settled.why() == QueueEvent.Reason.DUPLICATE) {
                dedupe.copies().addAll(RunSet.of(settled.ids()));
            }
        }
    }

    private void learnSettled(TailEvent entry, IdRuns ids) {
        for (int run = 0; run < ids.count(); run++) {
            if (!known.containsRange(ids.epoch(run), ids.first(run), ids.last(run))) {
                if (rules.has(Rule.SETTLED_MARKS_KNOWN)) {
                    learn(entry, RunSet.of(ids));
                }
                return;
            }
        }
        if (!rules.has(Rule.DEDUPE_REMEMBERS_SETTLED)) {
            for (LiveMessage each : entry.removed) {
                Message message = each.message();
                if (message != null && message.origin() != null) {
                    dedupe.takeBack(message.origin(), message.origin().number() - 1);
                }
            }
        }
    }

    private void applyMerged(TailEvent entry, MessageCopy copy) {
        if (known.contains(copy.id()) && rules.has(Rule.MERGE_SKIPS_KNOWN)) {
            return;
        }
        entry.isMergedIn = live.add(copy.entry(true));
        learn(entry, RunSet.of(copy.id()));
        tailBytes += copy.message().memoryBytes();
        Origin origin = copy.origin();
        entry.isOriginAdded = origin != null && dedupe.addMerged(origin, copy.id(), known);
    }

    private void learn(TailEvent entry, RunSet ids) {
        RunSet fresh = ids.minus(known);
        if (!fresh.isEmpty()) {
            known.addAll(fresh);
            entry.learned = fresh;
        }
    }

    private void noteResent(TailEvent entry, Origin origin, MessageId held) {
        if (rules.has(Rule.RESENT_IS_REMEMBERED)) {
            entry.resentBefore = dedupe.noteResent(origin, held);
            entry.hasResent = true;
        }
    }

    /**
     * Everything up to the point is committed.
     *
     * @param released gets what need not be kept any longer
     * @param committed gets each event that became base
     */
    void commit(MessageId point, Consumer<LiveMessage> released, Consumer<Event> committed) {
        TailEvent first = tail.peekFirst();
        while (first != null && first.event.id().compareTo(point) <= 0) {
            tail.removeFirst();
            baseEnd = first.event.id();
            settle(first, released);
            committed.accept(first.event);
            first = tail.peekFirst();
        }
        if (tail.isEmpty()) {
            tailBytes = 0;
            baseEnd = end;
        }
    }

    private void settle(TailEvent entry, Consumer<LiveMessage> released) {
        tailBytes -= entry.bytes();
        for (LiveMessage each : entry.removed) {
            released.accept(each);
        }
        if (entry.event instanceof ReplicaRecord.Queued queued) {
            if (queued.event() instanceof QueueEvent.Published published && published.origin() != null) {
                dedupe.trim(published.origin(), published.floor());
            }
        } else if (entry.event instanceof ReplicaRecord.ChannelClosed closed) {
            dedupe.close(closed.channel(), closed.isLost());
        } else if (entry.event instanceof ReplicaRecord.LettersSettled settled) {
            dedupe.forgetLetters(settled.source(), settled.floor(), settled.letters());
        } else if (entry.event instanceof ReplicaRecord.Thaw) {
            dedupe.dropClosed();
            fleeting.removeRange(MessageId.ZERO, entry.event.id());
        }
    }

    /** Undoes all events after the point, newest first. @param released gets the messages that were published by them */
    void truncate(MessageId point, Consumer<LiveMessage> released) {
        TailEvent last = tail.peekLast();
        while (last != null && last.event.id().compareTo(point) > 0) {
            tail.removeLast();
            tailBytes -= last.bytes();
            undo(last, released);
            last = tail.peekLast();
        }
        ends.truncate(point);
        end = ends.last();
        if (baseEnd.compareTo(end) > 0) {
            baseEnd = end;
        }
    }

    private void undo(TailEvent entry, Consumer<LiveMessage> released) {
        MessageId id = entry.event.id();
        handOver = entry.event instanceof ReplicaRecord.HandOver ? null : handOver;
        if (entry.event instanceof ReplicaRecord.Queued queued
                && queued.event() instanceof QueueEvent.Published published) {
            release(live.remove(id), released);
            if (published.origin() != null && rules.has(Rule.DEDUPE_ROLLS_BACK)) {
                dedupe.takeBack(published.origin(), entry.highestBefore);
            }
            undoResent(entry, published.origin());
        } else if (entry.event instanceof ReplicaRecord.Merged merged && entry.isMergedIn) {
            release(live.remove(merged.copy().id()), released);
            if (entry.isOriginAdded && merged.copy().origin() != null) {
                dedupe.removeMerged(merged.copy().origin());
            }
        } else if (entry.event instanceof ReplicaRecord.Resent resent) {
            undoResent(entry, resent.origin());
        } else if (entry.frozen != null) {
            dedupe.refreeze(entry.frozen);
        } else if (entry.event instanceof ReplicaRecord.Queued queued
                && queued.event() instanceof QueueEvent.Settled settled
                && settled.why() == QueueEvent.Reason.DUPLICATE) {
            dedupe.copies().removeAll(RunSet.of(settled.ids()));
        }
        if (rules.has(Rule.TRUNCATION_UNDOES_SETTLES)) {
            entry.removed.forEach(live::add);
        }
        if (entry.learned != null) {
            known.removeAll(entry.learned);
            fleeting.removeAll(entry.learned);
        }
        known.remove(id);
    }

    private void undoResent(TailEvent entry, @Nullable Origin origin) {
        if (entry.hasResent && origin != null) {
            dedupe.unnoteResent(origin, entry.resentBefore);
        }
    }

    private static void release(@Nullable LiveMessage entry, Consumer<LiveMessage> released) {
        if (entry != null) {
            released.accept(entry);
        }
    }

    // ---- becoming like a leader

    /** All that is here is base from now on; events go on after the leader's end. */
    void beginCut(ReplicaRecord.CutBegun cut, Consumer<LiveMessage> released) {
        for (TailEvent each : tail) {
            each.removed.forEach(released);
        }
        tail.clear();
        tailBytes = 0;
        ends = cut.ends().copy();
        Dedupe before = dedupe;
        dedupe = cut.dedupe().copy();
        dedupe.keepFormer(before, live::contains);
        end = cut.end();
        baseEnd = end;
        handOver = null;
    }

    /** A range was compared. */
    void cut(ReplicaRecord.Cut cut, Consumer<LiveMessage> released) {
        live.removeAll(cut.drop().toIdRuns(), released);
        if (cut.from().compareTo(cut.to()) > 0) {
            return;
        }
        known.removeAll(RunSet.range(cut.from(), cut.to()));
        known.addAll(cut.known());
        known.addAll(liveIds(cut.from(), cut.to()));
    }

    /**
     * A message that was missing arrived. If it was settled by an event that may be undone, it is kept with that event.
     *
     * @return false when its fate is known already: then it is not needed
     */
    boolean backfill(MessageCopy copy) {
        if (!known.contains(copy.id()) || !rules.has(Rule.BACKFILL_SKIPS_KNOWN)) {
            known.add(copy.id());
            return live.add(copy.entry(false));
        }
        LiveMessage entry = copy.entry(false);
        for (Iterator<TailEvent> newestFirst = tail.descendingIterator(); newestFirst.hasNext(); ) {
            if (newestFirst.next().keep(entry)) {
                tailBytes += entry.bodyBytes();
                return true;
            }
        }
        return false;
    }

    /** The ids from..to that are live. */
    RunSet liveIds(MessageId from, MessageId to) {
        return RunSet.of(live.runs(from, to));
    }

    /** Ids that are known only while a transient twin of theirs is here. */
    RunSet fleeting() {
        return fleeting;
    }

    /** What the leader knows only by twins: the same is true here, once this replica is like it. */
    void fleeting(RunSet ofLeader) {
        fleeting = ofLeader;
    }

    /**
     * Applies a record that was read back from the journal, in the order of appends. Begin with an empty state.
     *
     * @param position where the journal holds it
     */
    public void recover(ReplicaRecord record, long position) {
        Consumer<LiveMessage> nobody = entry -> {};
        if (record instanceof Event event) {
            if (event.id().compareTo(end) <= 0) {
                throw new CodecException("event " + event.id() + " after " + end);
            }
            apply(event);
            MessageId message =
                    event instanceof ReplicaRecord.Merged merged ? merged.copy().id() : event.id();
            live.setPosition(message, position);
            live.detach(message);
            tail.getLast().forgetMessage();
            if (tail.size() > RECOVERY_TAIL_MAX) {
                commit(tail.getFirst().event.id(), nobody, committed -> {});
            }
        } else if (record instanceof ReplicaRecord.Passed passed) {
            passed.publishes().forEach(each -> dedupe.remember(each.origin(), each.id(), each.isResent()));
        } else if (record instanceof ReplicaRecord.Truncated truncated) {
            truncate(truncated.point(), nobody);
        } else if (record instanceof ReplicaRecord.CutBegun cut) {
            beginCut(cut, nobody);
        } else if (record instanceof ReplicaRecord.Cut cut) {
            cut(cut, nobody);
        } else if (record instanceof ReplicaRecord.Backfilled backfilled) {
            backfill(backfilled.copy());
            if (live.setPosition(backfilled.copy().id(), position)) {
                live.detach(backfilled.copy().id());
            } else {
                TailEvent.placeKept(tail, backfilled.copy().entry(false).detachedAt(position));
            }
        }
    }

    /** All was read back: it is base. */
    public void recovered() {
        handOver = null;
        commit(end, entry -> {}, event -> {});
    }
}
