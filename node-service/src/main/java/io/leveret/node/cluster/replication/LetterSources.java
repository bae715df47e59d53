package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import java.util.HashMap;
import java.util.Map;

/**
 * Where dead letters come from, for the leader of their target. Of a source's leaders the one with the highest epoch that came
 * here is listened to: one that was replaced may still send letters that its successor has sent, settled and told to forget.
 * Kept by a leader for as long as it leads: metadata tells a node of another leader of a target after it has told it of those
 * of the sources before.
 */
final class LetterSources {
    private static final MessageId ALL = new MessageId(Long.MAX_VALUE, 0);

    private final LeaderCore leader;
    private final LeaderOutput output;
    private final Map<Long, Long> epochs = new HashMap<>();

    LetterSources(LeaderCore leader, LeaderOutput output) {
        this.leader = leader;
        this.output = output;
    }

    /** A session of a source begins. @return false when there was one of a later leader; else those of earlier ones end */
    boolean admit(OriginMessage.Open open, Map<ChannelKey, OriginChannel> origins) {
        Long newest = epochs.get(open.source());
        if (newest != null && newest > open.sourceEpoch()) {
            return false;
        }
        if (newest == null || newest < open.sourceEpoch()) {
            epochs.put(open.source(), open.sourceEpoch());
            origins.values().removeIf(each -> each.source == open.source() && each.sourceEpoch < open.sourceEpoch());
        }
        return true;
    }

    /** The sources that are remembered. */
    int count() {
        return epochs.size();
    }

    /** Letters have left their source for good. */
    void settled(OriginMessage.LettersSettled settled) {
        if (leader.state().dedupe().letterSources().contains(settled.source())) {
            leader.put(new ReplicaRecord.LettersSettled(
                    leader.nextId(), settled.source(), settled.floor(), settled.letters()));
        }
    }

    /** Nobody sends the dead letters of a queue that is no more. */
    void forgetDeleted() {
        epochs.keySet().removeIf(output::isDeleted);
        for (long source : leader.state().dedupe().letterSources()) {
            if (output.isDeleted(source)) {
                leader.put(new ReplicaRecord.LettersSettled(leader.nextId(), source, ALL, new RunSet()));
            }
        }
    }
}
