package io.leveret.node.control;

import io.leveret.model.control.ControlSignature;
import io.leveret.node.runtime.NodeClock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets in what was signed with the cluster's secret, now, and once. Any thread; the lock is held for a look into a map. Nonces
 * are remembered for twice the allowed skew, which is all the time a recorded request would be young enough.
 */
final class RequestGuard {
    /** Requests remembered; within two minutes nobody honest sends more. Beyond it requests are refused. */
    private static final int NONCES_MAX = 200_000;

    private static final int NONCE_LETTERS_MIN = 16;
    private static final int NONCE_LETTERS_MAX = 100;

    private final ControlSignature signature;
    private final NodeClock clock;
    private final Map<String, Long> seen = new LinkedHashMap<>();

    RequestGuard(ControlSignature signature, NodeClock clock) {
        this.signature = signature;
        this.clock = clock;
    }

    /** Throws a refusal unless the request is signed, young and new. */
    void check(ControlSignature.Request request, byte[] body, String given) {
        long now = clock.currentTimeMillis();
        long at = time(request.millis());
        if (!signature.matches(request, body, given)) {
            throw refused("the signature is missing or was made with another secret");
        }
        if (Math.abs(now - at) > ControlSignature.SKEW_MILLIS_MAX) {
            throw refused("the request is too old, or the clocks of the machines differ by more than a minute");
        }
        if (request.nonce().length() < NONCE_LETTERS_MIN || request.nonce().length() > NONCE_LETTERS_MAX) {
            throw refused("the nonce must have 16 to 100 letters");
        }
        if (!isNew(request.nonce(), now)) {
            throw refused("the request was sent before");
        }
    }

    private static long time(String millis) {
        try {
            return Long.parseLong(millis);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private synchronized boolean isNew(String nonce, long now) {
        Iterator<Map.Entry<String, Long>> oldest = seen.entrySet().iterator();
        while (oldest.hasNext() && oldest.next().getValue() < now - 2 * ControlSignature.SKEW_MILLIS_MAX) {
            oldest.remove();
        }
        return seen.size() < NONCES_MAX && seen.putIfAbsent(nonce, now) == null;
    }

    private static ControlRefusal refused(String reason) {
        return new ControlRefusal(401, ControlSignature.REFUSED, reason);
    }
}
