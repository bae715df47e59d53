package io.leveret.node.amqp.server;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.Usage;
import io.leveret.node.broker.auth.Usage.Count;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the places that limits are about: connections of a vhost, of a user and of this node, channels of a user and of this
 * node.
 *
 * <pre>
 * pending ──(room is left, counted over the cluster)──► open ──► given back
 *    └───────(none is left)─────────────────────────────────────────▲
 * </pre>
 *
 * A place is counted before anybody is asked, here and by those who ask from other nodes. So of two that race for the last
 * place, at least one sees the other: a limit is never exceeded. One that is held up only by others that are pending asks
 * again, {@link #TRIES_MAX} times. Where there is no limit nobody is asked. Any thread.
 */
final class Admission {
    static final int TRIES_MAX = 8;
    private static final long AGAIN_MILLIS_MIN = 10;
    private static final int AGAIN_MILLIS_SPREAD = 50;
    /** Has no divisor in common with the spread. */
    private static final int SPREAD_STEP = 17;

    private final ServerLimits limits;
    private final Permissions permissions;
    private final UsageElsewhere elsewhere;
    /** Only what is not zero. */
    private final ConcurrentMap<Key, Count> counts = new ConcurrentHashMap<>();
    /** Keeps those that ask again apart. */
    private final AtomicInteger spread;

    /** @param seed another number on each node */
    Admission(ServerLimits limits, Permissions permissions, UsageElsewhere elsewhere, int seed) {
        this.limits = limits;
        this.permissions = permissions;
        this.elsewhere = elsewhere;
        this.spread = new AtomicInteger(seed);
    }

    /** What is counted. */
    private sealed interface Key {
        /** Of all other nodes; nothing for what is this node's alone. */
        default Count in(Usage usage) {
            return Count.ZERO;
        }
    }

    private record InVhost(VhostName vhost) implements Key {
        @Override
        public Count in(Usage usage) {
            return usage.ofVhost();
        }
    }

    private record OfUser(UserName user) implements Key {
        @Override
        public Count in(Usage usage) {
            return usage.ofUser();
        }
    }

    private record ChannelsOf(UserName user) implements Key {
        @Override
        public Count in(Usage usage) {
            return usage.channels();
        }
    }

    private record OnNode(String what) implements Key {}

    /** One limit that a place must keep; a negative one is none. */
    private record Claim(Key key, long max, String refusal) {}

    /** What this node counts. */
    Usage usage(UserName user, VhostName vhost) {
        return new Usage(count(new InVhost(vhost)), count(new OfUser(user)), count(new ChannelsOf(user)));
    }

    private Count count(Key key) {
        return counts.getOrDefault(key, Count.ZERO);
    }

    /** A place for a connection that may be opened otherwise. @param executor where it asks again */
    Place connection(UserName user, VhostName vhost, SerialExecutor executor) {
        long ofVhost = permissions.connectionsMax(vhost);
        long ofUser = permissions.connectionsMax(user);
        List<Claim> claims = List.of(
                new Claim(
                        new OnNode("connections"),
                        limits.connectionsMax(),
                        "connection refused: node connection limit (" + limits.connectionsMax() + ") is reached"),
                new Claim(
                        new InVhost(vhost),
                        ofVhost,
                        "access to vhost '" + vhost + "' refused for user '" + user + "': connection limit (" + ofVhost
                                + ") is reached"),
                new Claim(
                        new OfUser(user),
                        ofUser,
                        "connection refused for user '" + user + "': user connection limit (" + ofUser
                                + ") is reached"));
        return take(new Place(user, vhost, executor, claims));
    }

    /** A place for a channel of an open connection. */
    Place channel(UserName user, VhostName vhost, SerialExecutor executor) {
        long ofUser = permissions.channelsMax(user);
        List<Claim> claims = List.of(
                new Claim(
                        new OnNode("channels"),
                        limits.channelsMax(),
                        "number of channels opened on this node has reached the maximum allowed limit of ("
                                + limits.channelsMax() + ")"),
                new Claim(
                        new ChannelsOf(user),
                        ofUser,
                        "number of channels opened for user '" + user
                                + "' has reached the maximum allowed user limit of (" + ofUser + ")"));
        return take(new Place(user, vhost, executor, claims));
    }

    private Place take(Place place) {
        place.claims.forEach(claim -> add(claim.key(), 0, 1));
        place.decide(1);
        return place;
    }

    private void add(Key key, int open, int pending) {
        counts.compute(key, (same, before) -> {
            Count after = (before == null ? Count.ZERO : before).plus(new Count(open, pending));
            return after.equals(Count.ZERO) ? null : after;
        });
    }

    private enum State {
        PENDING,
        OPEN,
        GIVEN_BACK
    }

    /** One place, from the moment it is asked for. */
    final class Place {
        private final UserName user;
        private final VhostName vhost;
        private final SerialExecutor executor;
        private final List<Claim> claims;
        private final AtomicReference<State> state = new AtomicReference<>(State.PENDING);
        private final CompletableFuture<@Nullable String> verdict = new CompletableFuture<>();

        private Place(UserName user, VhostName vhost, SerialExecutor executor, List<Claim> claims) {
            this.user = user;
            this.vhost = vhost;
            this.executor = executor;
            this.claims = claims;
        }

        /** Completes, on any thread, with null when the place may be used, or with the reason why not. */
        CompletionStage<@Nullable String> verdict() {
            return verdict;
        }

        /** It is free again. Any number of times. */
        void giveBack() {
            State was = state.getAndSet(State.GIVEN_BACK);
            if (was != State.GIVEN_BACK) {
                int open = was == State.OPEN ? -1 : 0;
                claims.forEach(claim -> add(claim.key(), open, -1 - open));
            }
        }

        private void decide(int tries) {
            List<Claim> limited = new ArrayList<>();
            for (Claim claim : claims) {
                if (claim.max() >= 0) {
                    Count here = count(claim.key());
                    boolean isFull = claim.key() instanceof OnNode
                            ? here.open() + here.pending() > claim.max()
                            : here.open() >= claim.max();
                    if (isFull) {
                        refuse(claim);
                        return;
                    } else if (!(claim.key() instanceof OnNode)) {
                        limited.add(claim);
                    }
                }
            }
            if (limited.isEmpty()) {
                admit();
            } else {
                elsewhere.ask(user, vhost).thenAccept(there -> decide(limited, there, tries));
            }
        }

        private void decide(List<Claim> limited, Usage there, int tries) {
            for (Claim claim : limited) {
                Count all = count(claim.key()).plus(claim.key().in(there));
                boolean isContested = all.open() + all.pending() > claim.max();
                if (all.open() >= claim.max() || (isContested && tries >= TRIES_MAX)) {
                    refuse(claim);
                    return;
                } else if (isContested) {
                    // Not all at the same time again.
                    long millis = AGAIN_MILLIS_MIN + Math.floorMod(spread.addAndGet(SPREAD_STEP), AGAIN_MILLIS_SPREAD);
                    executor.execute(() ->
                            executor.schedule(() -> decide(tries + 1), TimeUnit.MILLISECONDS.toNanos(tries * millis)));
                    return;
                }
            }
            admit();
        }

        private void admit() {
            if (state.compareAndSet(State.PENDING, State.OPEN)) {
                claims.forEach(claim -> add(claim.key(), 1, -1));
                verdict.complete(null);
            }
        }

        private void refuse(Claim claim) {
            giveBack();
            verdict.complete(claim.refusal());
        }
    }
}
