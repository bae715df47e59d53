package io.leveret.node.simulation;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.LeaderSubscription;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.runtime.SerialExecutor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A consumer: its client's side on one node, and its stand-in at the leader. */
final class SimulatedConsumer {
    private SimulatedConsumer() {}

    /** Client to leader. */
    record Subscribe(long incarnation, long epoch, long session, int prefetch, boolean isNoAck) {}

    /** Client to leader. */
    record Settle(long incarnation, long epoch, long session, long from, long to, Subscription.Settlement verdict) {}

    /** Leader to client. */
    record Deliver(long incarnation, long epoch, long session, long number, MessageId id, Origin origin) {}

    /** Leader to client: no such session. */
    record Ended(long session) {}

    /** The side of the leader. */
    static final class AtLeader implements Subscriber {
        private final SimulatedReplica replica;
        private final int client;
        private final Subscribe subscribe;

        @Nullable
        LeaderSubscription subscription;

        private MessageId identified = MessageId.ZERO;

        AtLeader(SimulatedReplica replica, int client, Subscribe subscribe) {
            this.replica = replica;
            this.client = client;
            this.subscribe = subscribe;
        }

        void begin() {
            subscription = replica.queue.subscribe(
                    this,
                    new SubscriptionOptions(
                            "c" + client, "t", subscribe.isNoAck(), false, subscribe.prefetch(), false, Map.of()));
        }

        int client() {
            return client;
        }

        long session() {
            return subscribe.session();
        }

        @Override
        public SerialExecutor executor() {
            return replica.node.executor;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public boolean wantsIds() {
            return true;
        }

        @Override
        public void identified(long number, long epoch, long index) {
            identified = new MessageId(epoch, index);
        }

        @Override
        public void deliver(long number, Message message, boolean isRedelivered) {
            replica.node.cluster.trace(() -> "node " + replica.node.number + " delivers " + message.origin()
                    + (isRedelivered ? " again" : "") + " in epoch " + subscribe.epoch());
            if (!isRedelivered && !subscribe.isNoAck() && identified.epoch() < subscribe.epoch()) {
                replica.node.cluster.coverage.inheritedAsNew++;
            }
            replica.node.cluster.ledger(subscribe.incarnation()).delivered(subscribe.epoch(), message, isRedelivered);
            replica.node.tell(
                    client,
                    new Deliver(
                            subscribe.incarnation(),
                            subscribe.epoch(),
                            subscribe.session(),
                            number,
                            identified,
                            message.origin()));
        }

        @Override
        public void cancelled(CancelReason reason) {
            replica.node.tell(client, new Ended(subscribe.session()));
        }
    }
}
