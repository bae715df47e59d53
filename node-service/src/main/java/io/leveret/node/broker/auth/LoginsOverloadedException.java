package io.leveret.node.broker.auth;

/** More logins wait for their check than this node takes at a time. */
public final class LoginsOverloadedException extends RuntimeException {
    LoginsOverloadedException() {
        super("too many logins at a time", null, false, false);
    }
}
