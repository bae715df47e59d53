package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which publishes a queue has accepted, so that a second copy is recognised (PROTOCOL.md §4): part of the replicated state.
 *
 * <pre>
 * channels  per channel the highest number, and number → id for what the origin may send again
 * freeze    ids of older epochs are not forgotten, whatever the floors say: a replica that was left behind may hold a twin
 * resent    origin → id of what came more than once: a twin may lie, under another id, on a replica that is not in sync
 * copies    ids that are known only since another copy of their publish is here: nobody settled these
 * </pre>
 *
 * A dead letter is named by its source instead of its channel; such names come in any order, and go when the source says so.
 *
 * An entry counts only while its id is known to the replica; that is for the caller to ask. Bounds: what origins have
 * unanswered; with a freeze, what they had at its beginning; {@link #RESENT_MAX} resent ones, beyond which the oldest go.
 */
public final class Dedupe {
    /** 40 bytes each and a map entry: some 15 MB at worst. The price beyond it is a duplicate after a merge, never a loss. */
    static final int RESENT_MAX = 100_000;

    private final Map<ChannelKey, DedupeChannel> channels = new HashMap<>();
    private Map<Origin, MessageId> resent = new LinkedHashMap<>();
    private RunSet copies = new RunSet();
    private long frozenEpoch;
    /** The last one asked for: publishes of one channel come in batches. */
    private @Nullable DedupeChannel latest;
    /** While this replica is being made like its leader: what it knew of its own messages before. */
    private @Nullable Dedupe former;

    Dedupe copy() {
        Dedupe other = new Dedupe();
        channels.forEach((key, channel) -> other.channels.put(key, channel.copy()));
        other.resent.putAll(resent);
        other.copies = copies.copy();
        other.frozenEpoch = frozenEpoch;
        return other;
    }

    RunSet copies() {
        return copies;
    }

    long frozenEpoch() {
        return frozenEpoch;
    }

    /**
     * The tables of a leader are taken over before the messages are compared. What is known here by its own tables counts
     * until then: this replica may have to lead as it is.
     */
    void keepFormer(Dedupe before, Predicate<MessageId> isLive) {
        Dedupe kept = new Dedupe();
        if (before.former != null) {
            kept.addLive(before.former, isLive, isLive);
        }
        kept.addLive(before, isLive, isLive);
        former = kept.channels.isEmpty() && kept.resent.isEmpty() ? null : kept;
    }

    /** This replica is like its leader: its tables are right for what is here. */
    void forgetFormer() {
        former = null;
    }

    /**
     * Publishes that are here twice, since this replica was not yet made like its leader: live under the id that it had
     * before, and known under the leader's. The former is one too many.
     */
    RunSet twins(RunSet known, Predicate<MessageId> isLive) {
        RunSet twins = new RunSet();
        if (former != null) {
            for (DedupeChannel each : former.channels.values()) {
                each.forEach((number, id) -> {
                    MessageId here = held(new Origin(each.key.node(), each.key.boot(), each.key.channel(), number));
                    if (here != null && !here.equals(id) && known.contains(here) && isLive.test(id)) {
                        twins.add(id);
                    }
                });
            }
        }
        return twins;
    }

    /** This replica leads before it is like its leader of before. */
    void recallFormer(RunSet known, Predicate<MessageId> isLive) {
        if (former != null) {
            addLive(former, isLive, known::contains);
            former = null;
        }
    }

    /**
     * Adds entries of live ids, where none is that counts. Not of settled ones: they may be settled here only because another
     * copy is the leader's, and that may be missing here.
     */
    private void addLive(Dedupe other, Predicate<MessageId> isLive, Predicate<MessageId> counts) {
        for (DedupeChannel each : other.channels.values()) {
            each.forEach((number, id) -> {
                Origin origin = new Origin(each.key.node(), each.key.boot(), each.key.channel(), number);
                MessageId here = held(origin);
                if (isLive.test(id) && (here == null || !counts.test(here))) {
                    DedupeChannel channel = channelOf(origin);
                    channel.put(number, id.epoch(), id.index());
                    channel.highest = Math.max(channel.highest, number);
                }
            });
        }
        other.resent.forEach((origin, id) -> {
            MessageId here = resent.get(origin);
            if (isLive.test(id) && (here == null || !counts.test(here))) {
                noteResent(origin, id);
            }
        });
    }

    void freeze(long epoch) {
        frozenEpoch = epoch;
    }

    /** What a thaw ended. */
    record Frozen(long epoch, Map<Origin, MessageId> resent, RunSet copies) {}

    /** Nothing can come back any more from a replica that was left behind. @return what {@link #refreeze} takes it back with */
    Frozen thaw() {
        Frozen before = new Frozen(frozenEpoch, resent, copies);
        frozenEpoch = 0;
        copies = new RunSet();
        resent = new LinkedHashMap<>();
        return before;
    }

    void refreeze(Frozen before) {
        frozenEpoch = before.epoch();
        resent = before.resent();
        copies = before.copies();
    }

    /** The end of a freeze is committed: channels that were kept for it go. */
    void dropClosed() {
        if (frozenEpoch == 0) {
            channels.values().removeIf(channel -> channel.isClosed);
            latest = null;
        }
    }

    /** While records are read back: a publish of which only this is left. */
    void remember(Origin origin, MessageId id, boolean isResent) {
        if (isResent) {
            noteResent(origin, id);
        }
        DedupeChannel channel = channelOf(origin);
        if (!channel.contains(origin.number())) {
            channel.put(origin.number(), id.epoch(), id.index());
        }
        channel.highest = Math.max(channel.highest, origin.number());
    }

    @Nullable
    DedupeChannel channel(int node, long boot, long channel) {
        DedupeChannel found = latest;
        if (found != null && found.key.channel() == channel && found.key.node() == node && found.key.boot() == boot) {
            return found;
        }
        found = channels.get(new ChannelKey(node, boot, channel));
        if (found != null) {
            latest = found;
        }
        return found;
    }

    @Nullable
    DedupeChannel channel(ChannelKey key) {
        return channel(key.node(), key.boot(), key.channel());
    }

    private DedupeChannel channelOf(Origin origin) {
        DedupeChannel found = channel(origin.node(), origin.boot(), origin.channel());
        if (found == null) {
            found = new DedupeChannel(ChannelKey.of(origin));
            channels.put(found.key, found);
            latest = found;
        }
        return found;
    }

    /** A publish was accepted. @return the highest number before, to take it back with; -1 when the channel is new */
    long accept(Origin origin, long epoch, long index) {
        DedupeChannel channel = channelOf(origin);
        long before = channel.count() == 0 && channel.highest == 0 ? -1 : channel.highest;
        channel.put(origin.number(), epoch, index);
        channel.highest = Math.max(before, origin.number());
        return before;
    }

    /** Takes an accepted publish back. @param before what {@link #accept} returned */
    void takeBack(Origin origin, long before) {
        DedupeChannel channel = channel(origin.node(), origin.boot(), origin.channel());
        if (channel == null) {
            return;
        }
        channel.remove(origin.number());
        channel.highest = Math.max(0, before);
        if (before < 0 && channel.count() == 0) {
            channels.remove(channel.key);
            latest = null;
        }
    }

    /**
     * A merged message brings its origin, unless that is there already under an id that counts: one that is not known here
     * says nothing of what is.
     *
     * @return whether it was added
     */
    boolean addMerged(Origin origin, MessageId id, RunSet known) {
        DedupeChannel channel = channelOf(origin);
        MessageId here = channel.get(origin.number());
        if (here != null && known.contains(here)) {
            return false;
        }
        channel.put(origin.number(), id.epoch(), id.index());
        return true;
    }

    void removeMerged(Origin origin) {
        DedupeChannel channel = channel(origin.node(), origin.boot(), origin.channel());
        if (channel != null) {
            channel.remove(origin.number());
            if (channel.count() == 0 && channel.highest == 0) {
                channels.remove(channel.key);
                latest = null;
            }
        }
    }

    /** The id under which the publish was accepted, or null. */
    @Nullable
    MessageId held(Origin origin) {
        DedupeChannel channel = channel(origin.node(), origin.boot(), origin.channel());
        return channel == null ? null : channel.get(origin.number());
    }

    @Nullable
    MessageId resent(Origin origin) {
        return resent.get(origin);
    }

    boolean hasResent() {
        return !resent.isEmpty();
    }

    int resentCount() {
        return resent.size();
    }

    /** @return what was noted for the origin before, or null */
    @Nullable
    MessageId noteResent(Origin origin, MessageId id) {
        MessageId before = resent.put(origin, id);
        if (resent.size() > RESENT_MAX) {
            Iterator<Origin> oldest = resent.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        return before;
    }

    /** Takes {@link #noteResent} back. */
    void unnoteResent(Origin origin, @Nullable MessageId before) {
        if (before == null) {
            resent.remove(origin);
        } else {
            resent.put(origin, before);
        }
    }

    /** The publish that carried this floor is committed. */
    void trim(Origin origin, long floor) {
        DedupeChannel channel = channel(origin.node(), origin.boot(), origin.channel());
        if (channel != null) {
            channel.trim(floor, frozenEpoch);
        }
    }

    /**
     * The end of a channel is committed.
     *
     * @param isLost what is left may have been sent to another leader, too: a twin of it may lie somewhere
     */
    void close(ChannelKey key, boolean isLost) {
        DedupeChannel channel = channels.get(key);
        if (channel == null) {
            return;
        }
        if (isLost) {
            channel.forEach((number, id) -> {
                Origin origin = new Origin(key.node(), key.boot(), key.channel(), number);
                if (!resent.containsKey(origin)) {
                    noteResent(origin, id);
                }
            });
        }
        channel.trim(Long.MAX_VALUE, frozenEpoch);
        channel.isClosed = true;
        if (frozenEpoch == 0) {
            channels.remove(key);
            latest = null;
        }
    }

    /** Dead letters have left their source for good, which is committed: these, and all that are older than the floor. */
    void forgetLetters(long source, MessageId floor, RunSet letters) {
        latest = null;
        channels.values().removeIf(channel -> {
            ChannelKey key = channel.key;
            if (key.node() != Origin.LETTER || key.boot() != source) {
                return false;
            }
            long epoch = key.channel();
            channel.keep(
                    number -> (epoch > floor.epoch() || (epoch == floor.epoch() && number >= floor.index()))
                            && !letters.contains(epoch, number),
                    frozenEpoch);
            return channel.count() == 0;
        });
    }

    /** How many dead letters of a queue are remembered. */
    int letterCount(long source) {
        int count = 0;
        for (DedupeChannel channel : channels.values()) {
            count += channel.key.node() == Origin.LETTER && channel.key.boot() == source ? channel.count() : 0;
        }
        return count;
    }

    /** The incarnations of the queues whose dead letters are remembered. */
    Set<Long> letterSources() {
        Set<Long> sources = new TreeSet<>();
        channels.keySet().forEach(key -> {
            if (key.node() == Origin.LETTER) {
                sources.add(key.boot());
            }
        });
        return sources;
    }

    int channelCount() {
        return channels.size();
    }

    /** Shows the channels that are not closed. */
    void forEachOpen(Consumer<ChannelKey> visitor) {
        channels.values().forEach(channel -> {
            if (!channel.isClosed) {
                visitor.accept(channel.key);
            }
        });
    }

    void write(RecordWriter out) {
        out.putByte(former == null ? 0 : 1);
        if (former != null) {
            former.write(out);
        }
        out.putVar(frozenEpoch);
        out.putVar(channels.size());
        channels.values().forEach(channel -> channel.write(out));
        writeResent(out, resent);
        copies.write(out);
    }

    static void writeResent(RecordWriter out, Map<Origin, MessageId> resent) {
        out.putVar(resent.size());
        resent.forEach((origin, id) -> {
            writeOrigin(out, origin);
            out.putId(id);
        });
    }

    static Map<Origin, MessageId> readResent(RecordReader in) {
        Map<Origin, MessageId> resent = new LinkedHashMap<>();
        int count = in.getCount();
        for (int at = 0; at < count; at++) {
            Origin origin = readOrigin(in);
            resent.put(origin, in.getId());
        }
        return resent;
    }

    static Dedupe read(RecordReader in) {
        return read(in, 0);
    }

    /** A former table has none of its own: nesting is damage. */
    private static Dedupe read(RecordReader in, int depth) {
        Dedupe dedupe = new Dedupe();
        if (in.getFlag()) {
            if (depth > 0) {
                throw new CodecException("tables within tables");
            }
            dedupe.former = read(in, depth + 1);
        }
        dedupe.frozenEpoch = in.getVar();
        int count = in.getCount();
        for (int at = 0; at < count; at++) {
            DedupeChannel channel = DedupeChannel.read(in);
            dedupe.channels.put(channel.key, channel);
        }
        dedupe.resent = readResent(in);
        dedupe.copies = RunSet.read(in);
        return dedupe;
    }

    static void writeOrigin(RecordWriter out, Origin origin) {
        out.putVar(origin.node());
        out.putVar(origin.boot());
        out.putVar(origin.channel());
        out.putVar(origin.number());
    }

    static Origin readOrigin(RecordReader in) {
        return new Origin(in.getInt(), in.getVar(), in.getVar(), in.getVar());
    }
}
