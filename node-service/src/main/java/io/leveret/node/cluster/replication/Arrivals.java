package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import org.jspecify.annotations.Nullable;

/**
 * What a leader makes of a publish that arrives: a new message, a copy of one that it has or had, or neither. Owned by the
 * queue's executor.
 */
final class Arrivals {
    private final LeaderCore leader;
    private final ReplicaState state;
    private final LeaderOutput output;
    private final Rules rules;
    private final long orderlySince;

    /** @param orderlySince from that epoch on each leader gave way in good order to the next */
    Arrivals(LeaderCore leader, ReplicaState state, LeaderOutput output, long orderlySince) {
        this.leader = leader;
        this.state = state;
        this.output = output;
        this.rules = leader.rules();
        this.orderlySince = orderlySince;
    }

    /** @return the point of the log that is to be committed before the publish is confirmed; null: it is refused */
    @Nullable
    MessageId take(OriginMessage.Publish publish, OriginChannel channel) {
        ChannelKey key = publish.channel();
        long number = publish.number();
        Origin letter = publish.message().origin();
        if (letter != null) {
            return letter(publish, letter, channel);
        }
        Origin origin = new Origin(key.node(), key.boot(), key.channel(), number);
        DedupeChannel table = state.dedupe().channel(key);
        if (table != null && (number <= table.highest || table.contains(number))) {
            return secondCopy(publish, origin, table);
        }
        return accept(publish, origin);
    }

    /**
     * A number at or below the highest. Known here: confirmed when all that this leader holds is committed, never at once.
     * Otherwise it was rejected, or lost: taking it now would invert the order, confirming it would be a lie.
     */
    private @Nullable MessageId secondCopy(OriginMessage.Publish publish, Origin origin, DedupeChannel table) {
        MessageId held = table.get(publish.number());
        if (held != null && (state.known().contains(held) || !rules.has(Rule.DEDUPE_COUNTS_KNOWN_ONLY))) {
            return held(publish, origin, held);
        }
        if (rules.has(Rule.UNKNOWN_LOW_NUMBER_IS_REFUSED)) {
            return null;
        }
        table.remove(publish.number());
        return accept(publish, origin);
    }

    /**
     * One that is no copy. If another leader may have delivered it, and lost it, it is marked as sent again: not if all since
     * its first sending gave way in good order, for what they took is here.
     */
    private @Nullable MessageId accept(OriginMessage.Publish publish, Origin origin) {
        long first = publish.firstEpoch();
        boolean isTrusting = orderlySince < leader.epoch() && !rules.has(Rule.ORDER_SINCE_FIRST_SENDING);
        boolean isAgain = first != 0 && first < orderlySince && !isTrusting;
        return output.accept(publish.message().withOrigin(origin), origin, publish.floor(), isAgain);
    }

    private MessageId held(OriginMessage.Publish publish, Origin origin, MessageId held) {
        if (publish.firstEpoch() != 0
                && state.dedupe().resent(origin) == null
                && rules.has(Rule.RESENT_IS_REMEMBERED)) {
            leader.put(new ReplicaRecord.Resent(leader.nextId(), origin, held));
        }
        return rules.has(Rule.DUPLICATE_WAITS_FOR_COMMIT) ? state.end() : MessageId.ZERO;
    }

    /**
     * Dead letters come in any order: one that is not known here is new, also when it was here and got lost. An earlier
     * leader of its source may have sent it to an earlier leader of this queue, and that have delivered it.
     */
    private @Nullable MessageId letter(OriginMessage.Publish publish, Origin letter, OriginChannel channel) {
        boolean isInherited = letter.channel() < channel.sourceEpoch && rules.has(Rule.INHERITED_LETTERS_ARE_FLAGGED);
        MessageId held =
                rules.has(Rule.LETTERS_ARE_KNOWN_BY_SOURCE) ? state.dedupe().held(letter) : null;
        return held != null && state.known().contains(held)
                ? held(publish, letter, held)
                : output.accept(publish.message(), letter, 0, publish.firstEpoch() != 0 || isInherited);
    }
}
