package io.leveret.node.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Links between nodes, one connection at a time between two. A connection has two lanes in each direction: what is sent in a
 * lane arrives in order; the bulk lane may be overtaken, and never overtakes. When a connection ends, what is under way is
 * lost, and each side notices by itself.
 */
final class SimulatedNetwork {
    /** Something on its way. */
    record Packet(int from, int to, long connection, long order, Object content) {}

    private static final class Link {
        final ArrayDeque<Packet> live = new ArrayDeque<>();
        final ArrayDeque<Packet> bulk = new ArrayDeque<>();
        boolean isBlocked;
        double speed = 1;
    }

    private final int nodes;
    private final Link[] links;
    private final long[] connections;
    /** The connection that a side believes in. */
    private final long[] noticed;

    private long order;

    SimulatedNetwork(int nodes) {
        this.nodes = nodes;
        links = new Link[nodes * nodes];
        connections = new long[nodes * nodes];
        noticed = new long[nodes * nodes];
        for (int at = 0; at < links.length; at++) {
            links[at] = new Link();
            connections[at] = 1;
            noticed[at] = 1;
        }
    }

    private Link link(int from, int to) {
        return links[from * nodes + to];
    }

    private long connection(int a, int b) {
        return connections[Math.min(a, b) * nodes + Math.max(a, b)];
    }

    /** The number of the connection, as a side knows it. */
    long noticed(int side, int peer) {
        return noticed[side * nodes + peer];
    }

    /** @return whether the side now sees that its connection is another one */
    boolean notice(int side, int peer) {
        long now = connection(side, peer);
        boolean isOther = noticed[side * nodes + peer] != now;
        noticed[side * nodes + peer] = now;
        return isOther;
    }

    void send(int from, int to, boolean isBulk, Object content) {
        if (noticed(from, to) == connection(from, to)) {
            Link link = link(from, to);
            (isBulk ? link.bulk : link.live).add(new Packet(from, to, noticed(from, to), order++, content));
        }
    }

    void reset(int a, int b) {
        connections[Math.min(a, b) * nodes + Math.max(a, b)]++;
        for (Link each : List.of(link(a, b), link(b, a))) {
            each.live.clear();
            each.bulk.clear();
        }
    }

    /** Makes some links slow. */
    void slowDown(Random random) {
        for (Link each : links) {
            each.speed = random.nextInt(3) == 0 ? .08 : 1;
        }
    }

    void block(int from, int to) {
        link(from, to).isBlocked = true;
    }

    void unblockAll() {
        for (Link each : links) {
            each.isBlocked = false;
        }
    }

    /** Takes a packet of any link that is not blocked. */
    @Nullable
    Packet next(Random random) {
        List<Link> ready = new ArrayList<>();
        for (Link each : links) {
            if (!each.isBlocked && !(each.live.isEmpty() && each.bulk.isEmpty())) {
                ready.add(each);
            }
        }
        if (ready.isEmpty()) {
            return null;
        }
        Link link = ready.get(random.nextInt(ready.size()));
        if (link.speed < 1 && random.nextDouble() > link.speed) {
            return null;
        }
        Packet live = link.live.peek();
        Packet bulk = link.bulk.peek();
        if (bulk != null && (live == null || (bulk.order < live.order && random.nextInt(3) == 0))) {
            return link.bulk.poll();
        }
        return link.live.poll();
    }
}
