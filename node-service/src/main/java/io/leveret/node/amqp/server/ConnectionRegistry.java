package io.leveret.node.amqp.server;

import io.leveret.model.ExchangeName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.auth.LoginThrottle;
import io.leveret.node.broker.auth.Usage;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The client connections of this node, for those who list or close them and for those who stop the node's clients. Any
 * thread. Figures are read on each connection's own loop.
 */
public final class ConnectionRegistry {
    private final Admission admission;
    private final Intake intake;
    private final LargeBodies bodies;
    private final Set<ConnectionHandler> open = ConcurrentHashMap.newKeySet();
    private final LoginThrottle throttle = new LoginThrottle();
    private final AtomicLong serials = new AtomicLong();
    private final AtomicLong connectionsOpened = new AtomicLong();
    private final AtomicLong connectionsClosed = new AtomicLong();
    private final AtomicLong channelsOpened = new AtomicLong();
    private final AtomicLong channelsClosed = new AtomicLong();
    private final ExchangeTotals exchanges = new ExchangeTotals();
    private volatile @Nullable String refusal;
    private boolean isForGood;
    private volatile @Nullable String alarm;

    ConnectionRegistry(Admission admission, Intake intake, LargeBodies bodies) {
        this.admission = admission;
        this.intake = intake;
        this.bodies = bodies;
    }

    /** The two ends of a connection, and the TLS session between them. */
    record Peers(
            InetSocketAddress remote,
            InetSocketAddress local,
            @Nullable TlsSession tls) {
        static Peers of(Channel socket) {
            return new Peers(
                    (InetSocketAddress) socket.remoteAddress(),
                    (InetSocketAddress) socket.localAddress(),
                    TlsSession.of(socket));
        }

        String name() {
            return shown(remote) + " -> " + shown(local);
        }

        private static String shown(InetSocketAddress address) {
            return address.getAddress().getHostAddress() + ":" + address.getPort();
        }
    }

    /** What has come and gone since the node started. */
    public record Churn(long connectionsOpened, long connectionsClosed, long channelsOpened, long channelsClosed) {}

    /**
     * Messages that went into exchanges.
     *
     * @param publishOut how many times a queue took one
     */
    public record Published(long publishIn, long publishOut) {
        /** Both together. */
        public Published plus(Published other) {
            return new Published(publishIn + other.publishIn, publishOut + other.publishOut);
        }
    }

    /** What channels that are closed by now have published. */
    public Map<ExchangeName, Published> publishedBefore() {
        return exchanges.all();
    }

    /** Every open connection (those still shaking hands are not listed). */
    public CompletionStage<List<ConnectionStatistics>> connections() {
        return ask(connection -> List.of(connection.statistics()));
    }

    /** Every channel of every connection. */
    public CompletionStage<List<ChannelStatistics>> channels() {
        return ask(ConnectionHandler::channelStatistics);
    }

    /** A connection by its name in listings. */
    public record Named(String name, String peerHost, int peerPort) {}

    /** Those of the connections, given by their ids as owners of exclusive queues, that are open here. */
    public Map<String, Named> owners(Set<String> ids) {
        Map<String, Named> found = new HashMap<>();
        if (!ids.isEmpty()) {
            for (ConnectionHandler each : open) {
                if (ids.contains(each.owner())) {
                    InetSocketAddress remote = each.peers().remote();
                    found.put(
                            each.owner(),
                            new Named(each.name(), remote.getAddress().getHostAddress(), remote.getPort()));
                }
            }
        }
        return found;
    }

    /** What this node counts for the limits of a user and a vhost. */
    public Usage usage(UserName user, VhostName vhost) {
        return admission.usage(user, vhost);
    }

    Admission admission() {
        return admission;
    }

    Intake intake() {
        return intake;
    }

    LargeBodies bodies() {
        return bodies;
    }

    /** How many connections are open. */
    public int size() {
        return open.size();
    }

    public Churn churn() {
        return new Churn(connectionsOpened.get(), connectionsClosed.get(), channelsOpened.get(), channelsClosed.get());
    }

    private <T> CompletionStage<List<T>> ask(Function<ConnectionHandler, List<T>> question) {
        List<CompletableFuture<List<T>>> answers = new ArrayList<>();
        for (ConnectionHandler each : open) {
            CompletableFuture<List<T>> answer = new CompletableFuture<>();
            answers.add(answer);
            each.executor().run(() -> answer.complete(question.apply(each)));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(nothing -> answers.stream()
                        .map(CompletableFuture::join)
                        .flatMap(Collection::stream)
                        .toList());
    }

    /** Closes one connection with 320. @return false when there is none of that name */
    public boolean closeConnection(String name, String reason) {
        return close(each -> each.name().equals(name), reason) > 0;
    }

    /** Closes the connections to a vhost with 320. */
    public void closeVhost(VhostName vhost, String reason) {
        close(each -> each.isIn(vhost), reason);
    }

    /** Closes the connections of a user with 320. */
    public void closeUser(UserName user, String reason) {
        close(each -> each.user().equals(user.value()), reason);
    }

    /** Closes every connection with 320. The stage completes when all are gone. */
    public CompletionStage<Void> closeAll(String reason) {
        CompletableFuture<?>[] gone =
                open.stream().map(each -> each.gone().toCompletableFuture()).toArray(CompletableFuture[]::new);
        close(each -> true, reason);
        return CompletableFuture.allOf(gone);
    }

    private int close(Predicate<ConnectionHandler> which, String reason) {
        int count = 0;
        for (ConnectionHandler each : open) {
            if (which.test(each)) {
                count++;
                each.executor().run(() -> each.force(reason));
            }
        }
        return count;
    }

    /** New connections are told the reason (320) instead of being opened, until {@link #accept}. */
    public synchronized void refuseNew(String reason) {
        refusal = isForGood ? refusal : reason;
    }

    /** As {@link #refuseNew}, and {@link #accept} changes nothing any more: the node stops. */
    public synchronized void refuseForGood(String reason) {
        isForGood = true;
        refusal = reason;
    }

    /** New connections are welcome again. */
    public synchronized void accept() {
        refusal = isForGood ? refusal : null;
    }

    /** A resource is low: connections that publish are no longer read, and are told why if they understand. */
    public void block(String reason) {
        alarm = reason;
    }

    /** The last alarm is over. */
    public void unblock() {
        alarm = null;
        open.forEach(each -> each.executor().run(each::unblock));
    }

    LoginThrottle throttle() {
        return throttle;
    }

    @Nullable
    String refusal() {
        return refusal;
    }

    /** What publishers are told while they are blocked; null when they are not. */
    public @Nullable String alarm() {
        return alarm;
    }

    /** A number for a connection or a channel, never used twice while the node runs. */
    long nextSerial() {
        return serials.incrementAndGet();
    }

    void opened(ConnectionHandler connection) {
        connectionsOpened.incrementAndGet();
        open.add(connection);
    }

    void closed(ConnectionHandler connection) {
        connectionsClosed.incrementAndGet();
        open.remove(connection);
    }

    void channelOpened() {
        channelsOpened.incrementAndGet();
    }

    void channelClosed(VhostName vhost, List<ChannelStatistics.Exchange> published) {
        exchanges.add(vhost, published);
        channelsClosed.incrementAndGet();
    }
}
