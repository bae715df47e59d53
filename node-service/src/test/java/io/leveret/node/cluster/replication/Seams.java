package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LetterSource;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes cores with one rule taken away, and shows what the simulation has to see of a replica. For tests. */
public final class Seams {
    private final Rules rules;

    /** @param missing the name of a {@link Rule}, or null: all hold */
    public Seams(@Nullable String missing) {
        rules = missing == null ? Rules.ALL : Rules.allBut(Rule.valueOf(missing));
    }

    /** Several rules taken away at once: second lines of defence fall only together. */
    public Seams(List<String> missing) {
        Rule[] all = missing.stream().map(Rule::valueOf).toArray(Rule[]::new);
        rules = all.length == 0 ? Rules.ALL : Rules.allBut(all[0], all);
    }

    public static List<String> rules() {
        return java.util.Arrays.stream(Rule.values()).map(Enum::name).toList();
    }

    public ReplicaState state(boolean isDurable) {
        return new ReplicaState(isDurable, rules);
    }

    public LeaderCore leader(
            int self, ReplicaState state, ReplicaSet placement, LeaderSettings settings, LeaderOutput output) {
        return new LeaderCore(self, state, placement, settings, output, rules);
    }

    public ReplicaCore mirror(int self, ReplicaMessage.SessionId last, ReplicaState state, ReplicaOutput output) {
        return new ReplicaCore(self, last.boot(), last.generation(), last.hello(), state, output, rules);
    }

    public OriginCore origin(ChannelKey channel, long deadlineNanos, OriginOutput output) {
        return new OriginCore(channel, deadlineNanos, output, rules);
    }

    public OriginCore origin(ChannelKey channel, LetterSource source, OriginOutput output) {
        return new OriginCore(channel, Long.MAX_VALUE / 4, output, rules, source);
    }

    /** Dead letters of a source that a target remembers. */
    public static int lettersKnown(ReplicaState state, long source) {
        return state.dedupe().letterCount(source);
    }

    public static boolean has(ReplicaState state, MessageId event) {
        return state.ends().has(event);
    }

    public static boolean knows(ReplicaState state, MessageId message) {
        return state.known().contains(message);
    }

    public static MessageCopy copy(
            io.leveret.node.broker.queue.LiveMessage entry, io.leveret.node.broker.message.Message m) {
        return MessageCopy.of(entry, m);
    }

    /** The replica as the journal keeps it when it lets go of old records. */
    public static byte[] checkpoint(ReplicaState state) {
        RecordWriter out = new RecordWriter(1024);
        ReplicaCheckpoint.write(out, state);
        return out.toByteArray();
    }

    /**
     * What a restart finds.
     *
     * @param checkpoint null: none was made
     * @param covered how many of the records the checkpoint covers
     */
    public ReplicaState recover(byte @Nullable [] checkpoint, int covered, List<byte[]> records) {
        ReplicaState state = state(true);
        if (checkpoint != null) {
            ReplicaCheckpoint.Restored restored = new ReplicaCheckpoint.Restored(checkpoint, 0, checkpoint.length);
            for (int at = 0; at < covered; at++) {
                MessageCopy copy = ReplicaRecordCodec.copyOf(decode(records.get(at)));
                if (copy != null) {
                    restored.stored(copy.id(), at + 1);
                }
            }
            state = restored.state();
        }
        for (int at = covered; at < records.size(); at++) {
            state.recover(decode(records.get(at)), at + 1);
        }
        state.recovered();
        return state;
    }

    private static ReplicaRecord decode(byte[] record) {
        return ReplicaRecordCodec.decode(ByteBuffer.wrap(record));
    }

    /** As the peer link writes it: the head, then the message. */
    public static byte[] encode(OriginMessage message) {
        ByteBuffer head = OriginMessageCodec.encodeHead(message);
        byte[] header = message instanceof OriginMessage.Publish publish
                ? publish.message().header()
                : new byte[0];
        byte[] body = message instanceof OriginMessage.Publish publish
                ? publish.message().body()
                : new byte[0];
        return ByteBuffer.allocate(head.remaining() + header.length + body.length)
                .put(head)
                .put(header)
                .put(body)
                .array();
    }

    public static String describe(ReplicaState state) {
        return "end " + state.end() + " base " + state.baseEnd() + " live "
                + state.queue().live().runs() + " known " + state.known() + " ends " + state.ends() + " tail "
                + state.tailIds() + " durable " + state.durableEnd();
    }
}
