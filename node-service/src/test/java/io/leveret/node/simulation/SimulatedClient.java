package io.leveret.node.simulation;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.cluster.replication.ChannelKey;
import io.leveret.node.cluster.replication.OriginCore;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.OriginOutput;
import io.leveret.node.cluster.replication.ReplicaSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The clients of one node: publishing channels and one consumer. */
final class SimulatedClient {
    private static final int UNANSWERED_MAX = 6;

    private final SimulatedNode node;
    private final Map<ChannelKey, Channel> channels = new LinkedHashMap<>();
    private long nextChannel;
    private long incarnation;
    private int leader = ReplicaSet.NOBODY;
    private long epoch;

    private long session;
    private boolean isSubscribed;
    private long delivered;
    private long settled;
    /** Deliveries that the client has not settled, by number. */
    private final Map<Long, SimulatedConsumer.Deliver> unsettled = new LinkedHashMap<>();
    /** Those of earlier leaders, which only a transaction can settle. */
    private final List<SimulatedConsumer.Deliver> orphans = new ArrayList<>();

    /** One publishing channel and its origin for the queue of now. */
    private final class Channel implements OriginOutput {
        final ChannelKey key;
        final long queue;
        final OriginCore core;
        final Map<Long, Boolean> persistent = new LinkedHashMap<>();
        final Map<Long, List<Origin>> committing = new LinkedHashMap<>();
        final @Nullable Publisher letters;
        long next = 1;
        boolean isClosing;

        Channel(ChannelKey key, Publisher letters) {
            this.key = key;
            this.queue = incarnation;
            this.letters = letters;
            this.core = node.cluster.seams.origin(key, letters.letterSource(), this);
        }

        Channel(ChannelKey key) {
            this.letters = null;
            this.key = key;
            this.queue = incarnation;
            this.core = node.cluster.seams.origin(key, node.cluster.publishDeadline, this);
        }

        @Override
        public void send(int to, OriginMessage.ToLeader message) {
            node.cluster.trace(() ->
                    "   origin " + key + " → " + to + " " + message.getClass().getSimpleName() + " "
                            + (message instanceof OriginMessage.Publish publish
                                    ? publish.number() + (publish.firstEpoch() != 0 ? " again" : "")
                                    : ""));
            node.sendToLeader(to, queue, message);
        }

        @Override
        public void answered(long number, boolean isConfirmed) {
            node.cluster.trace(() -> "origin " + key + " number " + number + (isConfirmed ? " confirmed" : " refused"));
            if (letters != null) {
                node.cluster.letters.answered(node, letters, number, isConfirmed);
                return;
            }
            List<Origin> acked = committing.remove(number);
            if (acked != null) {
                if (queue == incarnation && isConfirmed) {
                    node.cluster.ledger(queue).committed(key, number, acked);
                }
                return;
            }
            boolean isPersistent = persistent.remove(number);
            if (queue == incarnation) {
                node.cluster.ledger(queue).answered(key, number, isPersistent, isConfirmed);
            }
        }

        @Override
        public void finished() {
            channels.remove(key);
        }
    }

    SimulatedClient(SimulatedNode node) {
        this.node = node;
    }

    void crash() {
        channels.clear();
        leader = ReplicaSet.NOBODY;
        epoch = 0;
        isSubscribed = false;
        incarnation = 0;
        unsettled.clear();
        orphans.clear();
    }

    int unanswered() {
        return channels.values().stream()
                .filter(each -> each.letters == null)
                .mapToInt(each -> each.core.unanswered())
                .sum();
    }

    // ---- dead letters of the other queue, whose leader is this process

    void publishLetter(Publisher letters, long number, Message message, boolean isAgain) {
        Channel channel = lettersOf(letters);
        node.cluster.ledger(incarnation).named(channel.key, number, message.origin());
        channel.core.publish(number, message, isAgain, 0);
    }

    void lettersSettled(Publisher letters, MessageId floor, IdRuns settledLetters) {
        Channel channel = channels.get(keyOf(letters));
        if (channel != null) {
            channel.core.lettersSettled(floor, settledLetters);
        }
    }

    void lettersClosed(Publisher letters) {
        Channel channel = channels.get(keyOf(letters));
        if (channel != null) {
            channel.isClosing = true;
            channel.core.close();
        }
    }

    boolean knowsQueue() {
        return incarnation != 0;
    }

    private ChannelKey keyOf(Publisher letters) {
        return new ChannelKey(node.number, node.boot, letters.channelSerial());
    }

    private Channel lettersOf(Publisher letters) {
        ChannelKey key = keyOf(letters);
        Channel known = channels.get(key);
        if (known != null) {
            return known;
        }
        Channel channel = new Channel(key, letters);
        channels.put(key, channel);
        channel.core.leader(leader, epoch, connection());
        return channel;
    }

    // ---- metadata and connections

    void incarnation(long now) {
        if (now != incarnation) {
            incarnation = now;
            isSubscribed = false;
            unsettled.clear();
            orphans.clear();
            List<Channel> former = new ArrayList<>(channels.values());
            channels.clear();
            former.forEach(each -> each.core.deleted());
        }
    }

    void leader(int nowLeader, long nowEpoch) {
        if (nowLeader != leader || nowEpoch != epoch) {
            isSubscribed = false;
        }
        leader = nowLeader;
        epoch = nowEpoch;
        for (Channel each : List.copyOf(channels.values())) {
            each.core.leader(leader, epoch, connection());
        }
    }

    private long connection() {
        return leader == ReplicaSet.NOBODY || leader == node.number
                ? 0
                : node.cluster.network.noticed(node.index(), leader - 1);
    }

    void reconnected(int peer) {
        if (peer == leader) {
            isSubscribed = false;
            for (Channel each : List.copyOf(channels.values())) {
                each.core.leader(leader, epoch, connection());
            }
        }
    }

    void tick(long now) {
        for (Channel each : List.copyOf(channels.values())) {
            each.core.retry();
            each.core.tick(now);
        }
    }

    // ---- publishing

    void publish(long now) {
        if (incarnation == 0 || unanswered() >= UNANSWERED_MAX || !node.isReady) {
            return;
        }
        Channel channel = channel();
        boolean isPersistent = node.cluster.random.nextDouble() >= node.cluster.transientPart;
        long number = channel.next;
        channel.next += 1 + node.cluster.random.nextInt(2);
        channel.persistent.put(number, isPersistent);
        byte[] body = (channel.key + " " + number).getBytes(StandardCharsets.UTF_8);
        channel.core.publish(number, new Message("x", "q", new byte[] {0, 0}, body, isPersistent), now);
    }

    /** An open channel, perhaps a new one. */
    private Channel channel() {
        List<Channel> open = channels.values().stream()
                .filter(each -> !each.isClosing && each.letters == null)
                .toList();
        Channel channel;
        if (open.isEmpty() || (open.size() < 2 && node.cluster.random.nextInt(12) == 0)) {
            channel = new Channel(new ChannelKey(node.number, node.boot, ++nextChannel));
            channels.put(channel.key, channel);
            channel.core.leader(leader, epoch, connection());
        } else {
            channel = open.get(node.cluster.random.nextInt(open.size()));
        }
        return channel;
    }

    void closeChannel() {
        channels.values().stream()
                .filter(each -> !each.isClosing && each.letters == null)
                .findFirst()
                .ifPresent(each -> {
                    each.isClosing = true;
                    each.core.close();
                });
    }

    void answered(ChannelKey key, long queue, OriginMessage.ToOrigin message) {
        Channel channel = channels.get(key);
        if (channel != null && channel.queue == queue) {
            channel.core.received(message);
        }
    }

    // ---- consuming

    void consume(long now) {
        if (node.cluster.hasTransactions && commit(now)) {
            return;
        }
        if (!isSubscribed) {
            if (leader != ReplicaSet.NOBODY && incarnation != 0) {
                isSubscribed = true;
                session++;
                orphans.addAll(unsettled.values());
                unsettled.clear();
                delivered = 0;
                settled = 0;
                node.sendToLeader(
                        leader,
                        incarnation,
                        new SimulatedConsumer.Subscribe(
                                incarnation,
                                epoch,
                                node.boot * 1_000_000 + session,
                                1 + node.cluster.random.nextInt(3),
                                node.cluster.random.nextInt(8) == 0));
            }
        } else if (delivered > settled) {
            long to = node.cluster.random.nextInt(3) == 0 ? delivered : settled + 1;
            Subscription.Settlement verdict = switch (node.cluster.random.nextInt(10)) {
                case 0, 1 -> Subscription.Settlement.REQUEUE;
                case 2 -> Subscription.Settlement.REJECT;
                default -> Subscription.Settlement.ACK;
            };
            settle(to, verdict);
        }
    }

    private void settle(long to, Subscription.Settlement verdict) {
        node.sendToLeader(
                leader,
                incarnation,
                new SimulatedConsumer.Settle(
                        incarnation, epoch, node.boot * 1_000_000 + session, settled + 1, to, verdict));
        for (; settled < to; settled++) {
            unsettled.remove(settled + 1);
        }
    }

    /** A transaction with some of the deliveries, of this leader and of earlier ones. @return whether there was one */
    private boolean commit(long now) {
        boolean hasDeliveries = !orphans.isEmpty() || (isSubscribed && delivered > settled);
        Random random = node.cluster.transactionRandom;
        if (!hasDeliveries || !node.isReady || unanswered() >= UNANSWERED_MAX || random.nextInt(3) != 0) {
            return false;
        }
        IdRuns.Builder ids = new IdRuns.Builder();
        List<Origin> acked = new ArrayList<>();
        List<SimulatedConsumer.Deliver> taken = new ArrayList<>(orphans);
        orphans.clear();
        long to = settled;
        if (isSubscribed && delivered > settled) {
            to = random.nextInt(3) == 0 ? delivered : settled + 1;
            for (long number = settled + 1; number <= to; number++) {
                SimulatedConsumer.Deliver each = unsettled.get(number);
                if (each != null) {
                    taken.add(each);
                }
            }
        }
        for (SimulatedConsumer.Deliver each : taken) {
            ids.add(each.id().epoch(), each.id().index());
            acked.add(each.origin());
        }
        Channel channel = channel();
        long number = channel.next++;
        channel.committing.put(number, acked);
        channel.core.settle(number, ids.build(), now);
        if (to > settled) {
            settle(to, Subscription.Settlement.ACK);
        }
        return true;
    }

    void received(int from, @Nullable Object message) {
        if (message instanceof SimulatedConsumer.Deliver deliver) {
            if (deliver.session() == node.boot * 1_000_000 + session && isSubscribed) {
                delivered = deliver.number();
                if (deliver.id().index() != 0) { // else it is settled by being delivered
                    unsettled.put(delivered, deliver);
                }
            }
        } else if (message instanceof SimulatedConsumer.Ended ended) {
            if (ended.session() == node.boot * 1_000_000 + session) {
                isSubscribed = false;
            }
        }
    }
}
