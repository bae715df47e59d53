package io.leveret.node.broker.auth;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long those who fail to log in wait for their answer, so that passwords cannot be guessed quickly, and how many may wait.
 * Pure but for its lock, which is held for a look into a map; time is an argument. Any thread.
 *
 * <p>Each source address has a score: a failure adds one, {@link #FORGIVEN_NANOS} take one away. Up to {@link #FREE_FAILURES}
 * nothing is added to the usual wait; each further one adds {@link #STEP_NANOS}, up to {@link #EXTRA_NANOS_MAX}. A login that
 * succeeds never waits.
 *
 * <p>Bounds: an address may have {@link #HELD_PER_SOURCE_MAX} connections waiting, and further attempts from there are not
 * looked at until one of them is over; all addresses together {@link #HELD_MAX}, beyond which nobody waits. A network of IPv6
 * counts as one address, since its hosts have as many as they like.
 */
public final class LoginThrottle {
    /** Applications that are started with a wrong password should hear of it as quickly as they are used to. */
    public static final int FREE_FAILURES = 20;

    public static final long FORGIVEN_NANOS = TimeUnit.SECONDS.toNanos(3);
    public static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    public static final long EXTRA_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    /** Far more than an application with a wrong password has, few enough to cost nothing. */
    public static final int HELD_PER_SOURCE_MAX = 256;
    /** A waiting connection costs a few KB. */
    public static final int HELD_MAX = 4_096;
    /** Addresses remembered; beyond it, those that are forgiven are swept, and a new one is then not remembered. */
    static final int SOURCES_MAX = 10_000;

    private static final int IPV6_NETWORK_BYTES = 8;

    private final Map<Key, Source> sources = new HashMap<>();
    private int held;

    /** The bytes of an address, or of its network. */
    private record Key(String bytes) {
        static Key of(InetAddress address) {
            byte[] all = address.getAddress();
            return new Key(
                    Arrays.toString(address instanceof Inet6Address ? Arrays.copyOf(all, IPV6_NETWORK_BYTES) : all));
        }
    }

    private static final class Source {
        private double score;
        private long seenNanos;
        private int held;

        Source(long nowNanos) {
            seenNanos = nowNanos;
        }

        void forgive(long nowNanos) {
            score = Math.max(0, score - (nowNanos - seenNanos) / (double) FORGIVEN_NANOS);
            seenNanos = nowNanos;
        }
    }

    /** Whether an attempt from there is to be looked at; if not, too many are waiting already. */
    public synchronized boolean mayTry(InetAddress from) {
        Source source = sources.get(Key.of(from));
        return source == null || source.held < HELD_PER_SOURCE_MAX;
    }

    /** An attempt has failed. @return for how long its answer is to wait, beyond what everybody's does */
    public synchronized long failed(InetAddress from, long nowNanos) {
        Source source = source(from, nowNanos);
        if (source == null) {
            return EXTRA_NANOS_MAX;
        }
        source.forgive(nowNanos);
        source.score++;
        double over = source.score - FREE_FAILURES;
        return over <= 0 ? 0 : Math.min(EXTRA_NANOS_MAX, (long) (over * STEP_NANOS));
    }

    /**
     * A place for a connection whose answer waits, to be given back by {@link #release}. @return false when there is none: the
     * connection is to be closed at once
     */
    public synchronized boolean hold(InetAddress from, long nowNanos) {
        Source source = source(from, nowNanos);
        if (source == null || source.held >= HELD_PER_SOURCE_MAX || held >= HELD_MAX) {
            return false;
        }
        source.held++;
        held++;
        return true;
    }

    /** The wait is over, or the client has left. */
    public synchronized void release(InetAddress from) {
        Source source = sources.get(Key.of(from));
        if (source == null || source.held == 0) {
            throw new IllegalStateException("released more often than held");
        }
        source.held--;
        held--;
    }

    private @Nullable Source source(InetAddress from, long nowNanos) {
        Key key = Key.of(from);
        Source known = sources.get(key);
        if (known != null) {
            return known;
        }
        if (sources.size() >= SOURCES_MAX) {
            sources.values().removeIf(each -> {
                each.forgive(nowNanos);
                return each.held == 0 && each.score == 0;
            });
        }
        if (sources.size() >= SOURCES_MAX) {
            return null;
        }
        Source fresh = new Source(nowNanos);
        sources.put(key, fresh);
        return fresh;
    }

    /** How many connections wait. */
    public synchronized int held() {
        return held;
    }
}
