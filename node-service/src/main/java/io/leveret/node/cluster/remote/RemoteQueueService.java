package io.leveret.node.cluster.remote;

import io.leveret.model.NodeName;
import io.leveret.node.broker.queue.Subscriber.CancelReason;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerListener;
import io.leveret.node.cluster.peer.PeerService;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.OriginMessageCodec;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings what consumers and leaders on different nodes say to each other from the link's executor to theirs, in order, and
 * gives the link its credit back when they have dealt with it. Keeps the lines of this node's subscriptions and the consumers
 * of other nodes, and ends them with their link.
 */
final class RemoteQueueService implements PeerService, PeerListener {
    /** The service's number on the link. */
    static final int SERVICE = 2;

    private static final byte FIRST_FROM_LEADER = 32;

    private record ConsumerKey(long link, long session) {}

    private final ClusterQueueDirectory directory;
    private final QueueHosts hosts;
    private final AtomicLong lineNumbers = new AtomicLong();
    private final ConcurrentHashMap<Long, PeerLine> lines = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<ConsumerKey, PeerConsumer> consumers = new ConcurrentHashMap<>();

    RemoteQueueService(ClusterQueueDirectory directory) {
        this.directory = directory;
        this.hosts = directory.hosts();
    }

    /** A line to a leader on another node. Called on the subscriber's executor. */
    PeerLine line(PeerLink link, long incarnation, long epoch, OriginSubscription subscription) {
        SerialExecutor here = subscription.subscriber().executor();
        PeerLine line = new PeerLine(
                link.outbox(here),
                lineNumbers.incrementAndGet(),
                incarnation,
                epoch,
                subscription.options(),
                subscription,
                this::forget);
        lines.put(line.number(), line);
        return line;
    }

    /** Lines to other nodes, and consumers of other nodes. */
    int openCount() {
        return lines.size() + consumers.size();
    }

    void forget(PeerLine line) {
        lines.remove(line.number());
    }

    @Override
    public boolean releasesItself() {
        return true;
    }

    @Override
    public void received(PeerLink link, PeerClass trafficClass, ByteBuffer in) {
        int bytes = in.remaining();
        byte type = in.get();
        long session = in.getLong();
        switch (type) {
            case RemoteFrame.TO_LEADER -> {
                if (OriginMessageCodec.decode(in) instanceof OriginMessage.ToLeader message) {
                    fromOrigin(link, bytes, session, message);
                }
            }
            case RemoteFrame.TO_ORIGIN -> {
                if (OriginMessageCodec.decode(in) instanceof OriginMessage.ToOrigin message) {
                    directory.toLocalOrigin(session, link.executor(), message);
                }
                link.release(PeerClass.CLIENT, bytes);
            }
            case RemoteFrame.SUBSCRIBE -> subscribe(link, bytes, session, in);
            default -> {
                if (type >= FIRST_FROM_LEADER) {
                    PeerLine line = lines.get(session);
                    handOver(link, bytes, line == null ? null : line.executor(), fromLeader(line, type, in));
                } else {
                    toConsumer(link, bytes, type, session, in);
                }
            }
        }
    }

    private void toConsumer(PeerLink link, int bytes, byte type, long session, ByteBuffer in) {
        ConsumerKey key = new ConsumerKey(link.number(), session);
        PeerConsumer consumer = type == RemoteFrame.CLOSE ? consumers.remove(key) : consumers.get(key);
        if (consumer == null) {
            link.release(PeerClass.CLIENT, bytes);
        } else {
            handOver(link, bytes, consumer.executor(), consumer.received(type, in));
        }
    }

    /** A publisher of another node, or what opens and closes its session. */
    private void fromOrigin(PeerLink link, int bytes, long incarnation, OriginMessage.ToLeader message) {
        QueueHost host = hosts.host(incarnation);
        if (host == null) {
            toOrigin(
                    link.peer(),
                    incarnation,
                    link.executor(),
                    new OriginMessage.NotLeader(message.channel(), message.epoch(), message.session()));
        }
        handOver(link, bytes, host == null ? null : host.executor(), () -> {
            if (host != null) {
                host.fromOrigin(message);
            }
        });
    }

    /** An answer to a channel of another node. On the queue's executor. A lost answer is given again to a new session. */
    void toOrigin(NodeName node, long incarnation, SerialExecutor from, OriginMessage.ToOrigin message) {
        PeerLink link = directory.transport().link(node);
        if (link != null) {
            link.outbox(from)
                    .send(
                            PeerClass.CLIENT,
                            SERVICE,
                            RemoteFrame.plain(RemoteFrame.TO_ORIGIN, incarnation),
                            OriginMessageCodec.encodeHead(message));
        }
    }

    private void subscribe(PeerLink link, int bytes, long session, ByteBuffer in) {
        long incarnation = in.getLong();
        long epoch = in.getLong();
        RemoteFrame.Asked asked = RemoteFrame.asked(in);
        QueueHost host = hosts.host(incarnation);
        if (host == null) {
            link.outbox(link.executor())
                    .send(PeerClass.CLIENT, SERVICE, RemoteFrame.plain(RemoteFrame.NOT_LEADER, session));
            link.release(PeerClass.CLIENT, bytes);
            return;
        }
        ConsumerKey key = new ConsumerKey(link.number(), session);
        PeerConsumer consumer = new PeerConsumer(host, epoch, link, session, asked);
        consumers.put(key, consumer);
        handOver(link, bytes, host.executor(), () -> {
            if (!link.isOpen() || !consumer.open()) {
                consumers.remove(key);
            }
        });
    }

    /** Runs the task on the executor that it concerns, then releases its frame. */
    private static void handOver(PeerLink link, int bytes, @Nullable SerialExecutor to, Runnable task) {
        if (to == null) {
            link.release(PeerClass.CLIENT, bytes);
            return;
        }
        SerialExecutor here = link.executor();
        if (here == to) {
            task.run();
            link.release(PeerClass.CLIENT, bytes);
        } else {
            here.handOver(to, () -> {
                task.run();
                link.release(PeerClass.CLIENT, bytes);
            });
        }
    }

    /** Reads the frame now, on the link's executor, where a broken one closes the link; what it tells is done later. */
    private Runnable fromLeader(@Nullable PeerLine line, byte type, ByteBuffer in) {
        if (line == null) {
            return () -> {};
        }
        ConsumerSession session = line.session();
        switch (type) {
            case RemoteFrame.SUBSCRIBED:
                return () -> session.opened(line);
            case RemoteFrame.REFUSED:
                lines.remove(line.number());
                String reason = RemoteFrame.text(in);
                return () -> session.refused(line, reason);
            case RemoteFrame.NOT_LEADER:
                lines.remove(line.number());
                return () -> session.notLeader(line);
            case RemoteFrame.DELIVER:
                long number = in.getLong();
                RemoteFrame.Carried carried = RemoteFrame.message(in);
                return () -> session.delivered(line, number, carried.message(), carried.isFlagged());
            case RemoteFrame.IDENTIFIED:
                long delivery = in.getLong();
                long messageEpoch = in.getLong();
                long index = in.getLong();
                return () -> session.identified(line, delivery, messageEpoch, index);
            case RemoteFrame.CANCELLED:
                CancelReason why = RemoteFrame.reason(in);
                return () -> session.cancelled(line, why);
            case RemoteFrame.GOT:
                long request = in.getLong();
                long remaining = in.getLong();
                return () -> session.got(line, request, remaining);
            default:
                throw new IllegalArgumentException("frame " + type + " from a leader");
        }
    }

    @Override
    public void linkUp(PeerLink link) {
        directory.reachable(link.peer());
    }

    @Override
    public void linkDown(PeerLink link) {
        directory.unreachable(link.peer());
        lines.values().forEach(line -> {
            if (line.link().equals(link)) {
                lines.remove(line.number());
                line.executor().execute(() -> line.session().disconnected(line));
            }
        });
        consumers.forEach((key, consumer) -> {
            if (key.link() == link.number()) {
                consumers.remove(key);
                consumer.executor().execute(consumer::close);
            }
        });
    }

    @Override
    public void writable(PeerLink link, PeerClass trafficClass) {
        if (trafficClass == PeerClass.CLIENT) {
            consumers.forEach((key, consumer) -> {
                if (key.link() == link.number()) {
                    consumer.executor().execute(consumer::linkWritable);
                }
            });
        }
    }
}
