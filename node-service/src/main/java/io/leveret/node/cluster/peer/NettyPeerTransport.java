package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of a node over TCP: {@link PeerServer} takes connections, {@link PeerClient} makes them, and this keeps the open
 * link of each peer. Built and closed by the composition root; services and listeners are added before {@link #start}.
 */
public final class NettyPeerTransport implements PeerTransport, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NettyPeerTransport.class);
    private static final int SERVICE_NUMBERS = 256;
    private static final int TOLD_MAX = 1_000;

    private final PeerConfig config;
    private final EventLoops loops;
    private final Randomness randomness;
    private final @Nullable PeerService[] services = new PeerService[SERVICE_NUMBERS];
    private final List<PeerListener> listeners = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<NodeName, NettyPeerLink> links = new ConcurrentHashMap<>();
    /** Refusals that the log has told, so that a repeated attempt is not a repeated line. */
    private final ConcurrentHashMap<String, PeerRefusal> told = new ConcurrentHashMap<>();

    private final Set<String> toldOfTls = ConcurrentHashMap.newKeySet();
    private final AtomicLong linkNumbers = new AtomicLong();
    private final PeerServer server;
    private final PeerClient client;
    private volatile long waitingBytesMax = NettyPeerLink.WAITING_BYTES_MAX;
    private volatile boolean isClosed;

    public NettyPeerTransport(PeerConfig config, EventLoops loops, Randomness randomness) {
        this.config = config;
        this.loops = loops;
        this.randomness = randomness;
        this.server = new PeerServer(this);
        this.client = new PeerClient(this, loops.next());
    }

    /**
     * Listens. Peers may connect from now on.
     *
     * @return the port, which the system chose if the configuration says 0
     * @throws java.io.UncheckedIOException when the address cannot be listened on
     */
    public int start() {
        return server.start();
    }

    @Override
    public void register(int service, PeerService handler) {
        if (services[service] != null) {
            throw new IllegalStateException("service " + service + " is registered twice");
        }
        services[service] = handler;
    }

    @Override
    public void listen(PeerListener listener) {
        listeners.add(listener);
    }

    @Override
    public @Nullable PeerLink link(NodeName peer) {
        return links.get(peer);
    }

    @Override
    public void members(Map<NodeName, InetSocketAddress> members) {
        client.members(members);
    }

    /**
     * Asks whether a node would accept this one, without becoming its peer: for a node that starts, so that a wrong secret is
     * told at once.
     */
    public CompletionStage<PeerProbe> probe(InetSocketAddress address) {
        CompletableFuture<PeerProbe> result = new CompletableFuture<>();
        client.probe(address, result::complete);
        return result;
    }

    @Override
    public void close() {
        isClosed = true;
        server.close();
        client.close();
        links.values().forEach(each -> each.close("this node stops"));
    }

    PeerConfig config() {
        return config;
    }

    EventLoops loops() {
        return loops;
    }

    Randomness randomness() {
        return randomness;
    }

    SerialExecutor executorOf(Channel channel) {
        return loops.of(channel);
    }

    List<PeerListener> listeners() {
        return listeners;
    }

    @Nullable
    PeerService service(int number) {
        return services[number];
    }

    long waitingBytesMax() {
        return waitingBytesMax;
    }

    /** For tests: a bound that is reached sooner. */
    void waitingBytesMax(long bytes) {
        waitingBytesMax = bytes;
    }

    byte[] nonce() {
        byte[] nonce = new byte[PeerProof.NONCE_BYTES];
        randomness.fill(nonce);
        return nonce;
    }

    /**
     * The handshake of a connection is done: makes it the link of its peer, in place of an older one, whose end listeners hear
     * of first.
     *
     * @param whenStarting runs when the older link, if any, has ended, just before this one starts
     */
    NettyPeerLink established(
            Channel channel, PeerFrameDecoder decoder, NodeName peer, long boot, Runnable whenStarting) {
        NettyPeerLink link = new NettyPeerLink(channel, this, peer, boot, linkNumbers.incrementAndGet());
        decoder.open(link);
        told.remove(peer.value());
        toldOfTls.remove(peer.value());
        NettyPeerLink older = links.put(peer, link);
        Runnable start = () -> {
            whenStarting.run();
            link.start();
        };
        if (older == null) {
            start.run();
        } else {
            older.whenEnded(() -> link.executor().run(start));
            older.close("a new connection took its place");
        }
        if (isClosed) {
            link.close("this node stops");
        }
        return link;
    }

    /** A link ended: called once by each, on its executor. */
    void ended(NettyPeerLink link) {
        links.remove(link.peer(), link);
    }

    /** Told once until a link to the peer is up again. */
    void tlsFailed(String peer, Throwable cause) {
        if (toldOfTls.add(peer)) {
            LOG.warn("no link to {}: TLS: {}", peer, cause.toString());
        }
    }

    void refused(String peer, PeerRefusal reason) {
        if (told.size() > TOLD_MAX) {
            told.clear();
        }
        if (told.put(peer, reason) != reason) {
            LOG.warn("no link to {}: {}", peer, reason.text());
        }
        listeners.forEach(each -> each.refused(peer, reason));
    }
}
