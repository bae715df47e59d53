package io.leveret.node.amqp.server;

import io.leveret.node.amqp.server.ContentAssembler.Content;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.amqp.wire.TxMethod;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.vhost.Routed;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one channel. Lives on the connection's loop.
 *
 * <pre>
 * NONE ──select──► HOLDING ──commit──► PUBLISHING ──all confirmed──► SETTLING ──all on disk──► commit-ok, HOLDING
 *                     ▲ └─rollback─┐        └── one refused ──┬────────────┘
 *                     └────────────┘                          ▼
 *                                             406 partial tx completion: the channel closes
 * </pre>
 *
 * <p>Acks come after the publishes, and not at all when a publish is refused: a client that hands messages on must not lose
 * what it could not publish. The channel does nothing else while it commits. Publishes leave as the connection's
 * {@link PublishWindow} allows.
 */
final class ChannelTransaction {
    private final AmqpChannel channel;
    private final ConnectionContext context;
    private final Transaction<Held, DeliverySession> held = new Transaction<>();
    private Phase phase = Phase.NONE;
    private long heldBytes;
    /** Number of the first publish of the commit. */
    private long firstNumber;

    private boolean isRefused;
    private @Nullable CompletableFuture<Void> committing;

    /** A publish that waits for the commit. */
    private record Held(Content content, Routed routed) {}

    private enum Phase {
        NONE,
        HOLDING,
        PUBLISHING,
        SETTLING
    }

    ChannelTransaction(AmqpChannel channel, ConnectionContext context) {
        this.channel = channel;
        this.context = context;
    }

    boolean isSelected() {
        return phase != Phase.NONE;
    }

    int publishes() {
        return held.publishes();
    }

    int verdicts() {
        return held.verdicts();
    }

    /** From now on everything is held. Harmless when it is so already. */
    void select() {
        if (channel.publisher().isConfirm()) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "cannot switch from confirm to tx mode");
        }
        if (isSelected()) {
            channel.send(new TxMethod.SelectOk());
            return;
        }
        phase = Phase.HOLDING;
        channel.await(channel.consumers().identify(), nothing -> channel.send(new TxMethod.SelectOk()));
    }

    /** A publish that was allowed and routed. */
    void publish(Content content, Routed routed) {
        int bytes = content.message().memoryBytes();
        String refusal = context.window().hold(bytes);
        if (refusal != null) {
            throw tooLarge(refusal);
        }
        heldBytes += bytes;
        if (!held.publish(new Held(content, routed))) {
            throw tooLarge();
        }
        context.control().published();
    }

    /** A verdict on a delivery that is unsettled no longer. */
    void settle(long tag, DeliverySession session, long number, Settlement settlement) {
        if (!held.settle(tag, session, number, settlement)) {
            channel.consumers().restore(tag, session, number);
            throw tooLarge();
        }
    }

    private static AmqpException tooLarge() {
        return tooLarge("more than " + Transaction.STEPS_MAX + " publishes and acknowledgements");
    }

    private static AmqpException tooLarge(String why) {
        return AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "transaction too large: " + why);
    }

    void commit() {
        checkSelected();
        CompletableFuture<Void> done = new CompletableFuture<>();
        committing = done;
        isRefused = false;
        firstNumber = channel.publisher().nextNumber();
        phase = Phase.PUBLISHING;
        advance();
        channel.await(done, nothing -> channel.send(new TxMethod.CommitOk()));
    }

    void rollback() {
        checkSelected();
        end();
        channel.send(new TxMethod.RollbackOk());
    }

    private void checkSelected() {
        if (!isSelected()) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "channel is not transactional");
        }
    }

    /** The channel closes, or rolls back: its deliveries are unsettled again. */
    void end() {
        held.rollback(channel.consumers()::restore);
        context.window().release(heldBytes);
        heldBytes = 0;
        committing = null;
    }

    /** A queue has answered what the commit told it. */
    void answered(long number, boolean isConfirmed) {
        isRefused |= !isConfirmed && number >= firstNumber;
    }

    /** Goes on with a commit as far as it may: at its start, and whenever queues have answered. */
    void advance() {
        CompletableFuture<Void> done = committing;
        if (done == null) {
            return;
        }
        if (phase == Phase.PUBLISHING) {
            publishHeld();
            if (held.publishes() == 0 && channel.publisher().unanswered() == 0) {
                isRefused |= !isRefused && !settleHeld();
                phase = Phase.SETTLING;
            }
        }
        if (phase == Phase.SETTLING && channel.publisher().unanswered() == 0) {
            phase = Phase.HOLDING;
            committing = null;
            if (isRefused) {
                done.completeExceptionally(
                        AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "partial tx completion"));
            } else {
                done.complete(null);
            }
        }
    }

    /** One may always be on its way: what fills the window may be of others, whose answers do not come here. */
    private void publishHeld() {
        while (channel.publisher().unanswered() == 0 || !context.window().isFull()) {
            Held next = held.nextPublish();
            if (next == null) {
                return;
            }
            int bytes = next.content.message().memoryBytes();
            heldBytes -= bytes;
            context.window().release(bytes);
            channel.publisher().enqueue(next.content, context.vhost().current(next.routed));
        }
    }

    /**
     * Tells the queues the verdicts. Acks go twice: by id, for a leader that may follow, and then to the subscriptions, which
     * take new deliveries for them.
     *
     * @return whether it is known which messages were acked: it is not, if their leader went before it could tell
     */
    private boolean settleHeld() {
        Map<QueueHandle, IdRuns.Builder> acked = new IdentityHashMap<>();
        boolean[] isUnknown = new boolean[1];
        held.forEachRun((session, from, to, settlement) -> {
            IdRuns.Builder ids = acked.computeIfAbsent(session.queue(), queue -> new IdRuns.Builder());
            Subscription at = session.subscription();
            if (settlement == Settlement.ACK) {
                isUnknown[0] |= at == null || at.identified(from, to, ids) <= to - from;
            }
        });
        if (isUnknown[0]) {
            return false;
        }
        apply(false);
        acked.forEach((queue, ids) -> channel.publisher().settle(queue, ids.build()));
        apply(true);
        channel.consumers().applied();
        held.done();
        return true;
    }

    private void apply(boolean isOfAcks) {
        held.forEachRun((session, from, to, settlement) -> {
            if (isOfAcks == (settlement == Settlement.ACK)) {
                channel.consumers().apply(session, from, to, settlement);
            }
        });
    }
}
