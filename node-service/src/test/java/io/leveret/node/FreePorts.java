package io.leveret.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must be told theirs before they start. They are below those that operating systems give out by
 * themselves, so no outgoing connection gets one between the look and the start, or while its server is down.
 */
public final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int TRIES_MAX = 1_000;

    private FreePorts() {}

    /** So many different ports of the loopback address on which nobody listens. */
    public static List<Integer> choose(int count) {
        List<Integer> chosen = new ArrayList<>();
        for (int tries = 0; chosen.size() < count; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (!chosen.contains(port) && isFree(port)) {
                chosen.add(port);
            } else if (tries > TRIES_MAX) {
                throw new IllegalStateException("no free ports");
            }
        }
        return chosen;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
