package io.leveret.node.broker.auth;

import io.leveret.model.UserName;
import io.leveret.model.definition.UserDefinition;
import io.leveret.node.broker.definitions.Definitions;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Checks names and passwords. Hashing runs on an executor of its own, never on an event loop. */
public final class Authenticator {
    private final Definitions definitions;
    private final Executor hashing;
    private final Set<String> loopbackUsers;

    /**
     * @param hashing runs the checks; bounded by whoever owns it
     * @param loopbackUsers names of users who may only come from this machine
     */
    public Authenticator(Definitions definitions, Executor hashing, Set<String> loopbackUsers) {
        this.definitions = definitions;
        this.hashing = hashing;
        this.loopbackUsers = Set.copyOf(loopbackUsers);
    }

    /**
     * The login, or null when the user is unknown, the password is wrong, or the user may only come from this machine and
     * {@code from} is another. The stage completes on any thread.
     */
    public CompletionStage<@Nullable Login> logIn(String user, byte[] password, InetAddress from) {
        if (user.isEmpty() || (loopbackUsers.contains(user) && !from.isLoopbackAddress())) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.<@Nullable Login>supplyAsync(() -> check(user, password), hashing)
                .thenCompose(login -> login == null ? again(user, password) : CompletableFuture.completedFuture(login));
    }

    /** This node may be behind: the user or the password may be new. */
    private CompletionStage<@Nullable Login> again(String user, byte[] password) {
        return definitions
                .upToDate()
                .<@Nullable Login>thenApplyAsync(image -> check(user, password), hashing)
                .exceptionally(fault -> null);
    }

    private @Nullable Login check(String user, byte[] password) {
        if (!isName(user)) {
            return null;
        }
        UserDefinition known = definitions.image().user(new UserName(user));
        if (known == null || !PasswordHash.matches(known.passwordHash(), known.hashingAlgorithm(), password)) {
            return null;
        }
        return new Login(known.name(), Set.copyOf(known.tags()));
    }

    private static boolean isName(String user) {
        try {
            return !new UserName(user).value().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
