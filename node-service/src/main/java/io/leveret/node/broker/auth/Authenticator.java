package io.leveret.node.broker.auth;

import java.net.InetAddress;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Checks names and passwords. Hashing runs on an executor of its own, never on an event loop. */
public final class Authenticator {
    /**
     * The login, or null when the user is unknown, the password is wrong, or the user may only come from this machine and
     * {@code from} is another. The stage completes on any thread.
     */
    public CompletionStage<@Nullable Login> logIn(String user, byte[] password, InetAddress from) {
        throw new UnsupportedOperationException();
    }
}
