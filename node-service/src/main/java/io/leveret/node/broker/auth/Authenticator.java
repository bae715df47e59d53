package io.leveret.node.broker.auth;

import io.leveret.model.UserName;
import io.leveret.model.definition.UserDefinition;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.broker.definitions.DefinitionsImage;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Checks names and passwords. Hashing runs on an executor of its own, never on an event loop. */
public final class Authenticator {
    private final Definitions definitions;
    private final Executor hashing;
    private final Set<String> loopbackUsers;
    private final LoginAttempts attempts = new LoginAttempts();

    /**
     * @param hashing runs the checks; bounded by whoever owns it
     * @param loopbackUsers names of users who may only come from this machine
     */
    public Authenticator(Definitions definitions, Executor hashing, Set<String> loopbackUsers) {
        this.definitions = definitions;
        this.hashing = hashing;
        this.loopbackUsers = Set.copyOf(loopbackUsers);
    }

    /** The attempts of this node, for those who list them; whoever serves a protocol counts in it. */
    public LoginAttempts attempts() {
        return attempts;
    }

    /**
     * The login, or null when the user is unknown, the password is wrong, or the user may only come from this machine and
     * {@code from} is another. The stage completes on any thread; it fails with {@link LoginsOverloadedException} when too many
     * wait.
     */
    public CompletionStage<@Nullable Login> logIn(String user, byte[] password, InetAddress from) {
        return logIn(
                user, from, known -> PasswordHash.matches(known.passwordHash(), known.hashingAlgorithm(), password));
    }

    /** As {@link #logIn}, for a user who has proved already who they are (a client certificate): only being known counts. */
    public CompletionStage<@Nullable Login> logInVerified(String user, InetAddress from) {
        return logIn(user, from, known -> true);
    }

    private CompletionStage<@Nullable Login> logIn(String user, InetAddress from, Predicate<UserDefinition> proof) {
        if (user.isEmpty() || (loopbackUsers.contains(user) && !from.isLoopbackAddress())) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return CompletableFuture.supplyAsync(() -> check(known(definitions.image(), user), proof), hashing)
                    .thenCompose(checked -> checked.login == null
                            ? again(user, proof, checked)
                            : CompletableFuture.completedFuture(checked.login));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new LoginsOverloadedException());
        }
    }

    /** What was known of a user, and the login if that was enough. */
    private record Checked(
            @Nullable UserDefinition known, @Nullable Login login) {}

    /** This node may be behind: the user or the password may be new. What has not changed is not hashed again. */
    private CompletionStage<@Nullable Login> again(String user, Predicate<UserDefinition> proof, Checked before) {
        return definitions
                .upToDate()
                .<@Nullable Login>thenApplyAsync(
                        image -> {
                            UserDefinition now = known(image, user);
                            return Objects.equals(now, before.known) ? null : check(now, proof).login;
                        },
                        hashing)
                .exceptionally(fault -> null);
    }

    private static Checked check(@Nullable UserDefinition known, Predicate<UserDefinition> proof) {
        if (known == null || !proof.test(known)) {
            return new Checked(known, null);
        }
        return new Checked(known, new Login(known.name(), Set.copyOf(known.tags())));
    }

    private static @Nullable UserDefinition known(DefinitionsImage image, String user) {
        return isName(user) ? image.user(new UserName(user)) : null;
    }

    private static boolean isName(String user) {
        try {
            return !new UserName(user).value().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
