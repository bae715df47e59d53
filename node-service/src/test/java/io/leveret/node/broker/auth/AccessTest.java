package io.leveret.node.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AccessTest {
    private static final VhostName ROOT = new VhostName("/");
    private static final UserName RO = new UserName("ro");
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private final InMemoryDefinitions definitions = new InMemoryDefinitions();
    private final Authenticator authenticator = new Authenticator(definitions, Runnable::run, Set.of("guest"));
    private final Permissions permissions = new Permissions(definitions);

    @BeforeEach
    void users() {
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(ROOT, "", List.of())));
        definitions.agree(new DefinitionChange.PutUser(user("guest", PasswordHash.of("guest", new byte[4]))));
        definitions.agree(new DefinitionChange.PutUser(user("ro", PasswordHash.of("ro", new byte[] {1, 2, 3, 4}))));
        definitions.agree(new DefinitionChange.PutUser(user("nobody", "")));
    }

    private static UserDefinition user(String name, String hash) {
        return new UserDefinition(new UserName(name), hash, PasswordHash.SHA_256, List.of("administrator"));
    }

    private void permit(String configure, String write, String read) {
        definitions.agree(
                new DefinitionChange.PutPermission(new PermissionDefinition(RO, ROOT, configure, write, read)));
    }

    private Login logIn(String user, String password, InetAddress from) {
        return authenticator
                .logIn(user, password.getBytes(StandardCharsets.UTF_8), from)
                .toCompletableFuture()
                .join();
    }

    @Test
    void theRightPasswordLetsIn() {
        assertThat(logIn("ro", "ro", HERE)).isEqualTo(new Login(RO, Set.of("administrator")));
        assertThat(logIn("ro", "RO", HERE)).isNull();
        assertThat(logIn("ro", "", HERE)).isNull();
        assertThat(logIn("nosuch", "x", HERE)).isNull();
        assertThat(logIn("", "x", HERE)).isNull();
        assertThat(logIn("u".repeat(300), "x", HERE)).isNull();
        assertThat(logIn("nobody", "", HERE)).isNull();
    }

    @Test
    void aUserMadeOnAnotherNodeIsLetInAfterCatchingUp() {
        definitions.setBehind(true);
        definitions.agree(new DefinitionChange.PutUser(user("late", PasswordHash.of("late", new byte[4]))));
        assertThat(definitions.image().user(new UserName("late"))).isNull();
        assertThat(logIn("late", "late", HERE)).isNotNull();
        definitions.agree(new DefinitionChange.PutUser(user("late", PasswordHash.of("changed", new byte[4]))));
        assertThat(logIn("late", "changed", HERE)).isNotNull();
        definitions.setUnavailable(true);
        assertThat(logIn("late", "wrong", HERE)).isNull();
    }

    @Test
    void someUsersMayOnlyComeFromThisMachine() throws Exception {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
        assertThat(logIn("guest", "guest", HERE)).isNotNull();
        assertThat(logIn("guest", "guest", elsewhere)).isNull();
        assertThat(logIn("ro", "ro", elsewhere)).isNotNull();
    }

    @Test
    void hashesAreThoseOfDefinitionFiles() {
        byte[] password = "test12".getBytes(StandardCharsets.UTF_8);
        byte[] salt = {(byte) 0x90, (byte) 0x8d, (byte) 0xc6, 0x0a};
        // The example of RabbitMQ's own documentation of the format.
        assertThat(PasswordHash.of(password, salt)).isEqualTo("kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR");
        assertThat(PasswordHash.matches(
                        "kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR", PasswordHash.SHA_256, password))
                .isTrue();
        assertThat(PasswordHash.matches("not base64!", PasswordHash.SHA_256, password))
                .isFalse();
        assertThat(PasswordHash.matches("AAAA", PasswordHash.SHA_256, password)).isFalse();
        assertThat(PasswordHash.matches(PasswordHash.of(password, salt), "rot13", password))
                .isFalse();
        assertThat(PasswordHash.isKnownAlgorithm("rabbit_password_hashing_sha512"))
                .isTrue();
        assertThat(PasswordHash.isKnownAlgorithm("rabbit_password_hashing_md5")).isTrue();
        assertThat(PasswordHash.isKnownAlgorithm("rot13")).isFalse();
    }

    @Test
    void patternsAreSearchedAnywhereAndAnEmptyOneAllowsNothing() {
        assertThat(permissions.mayEnter(RO, ROOT)).isFalse();
        assertThat(permissions.allows(RO, Permission.READ, QueueName.of("/", "q")))
                .isFalse();
        permit("", "^amq\\.default$", "q");
        assertThat(permissions.mayEnter(RO, ROOT)).isTrue();
        assertThat(permissions.allows(RO, Permission.READ, QueueName.of("/", "a-q-z")))
                .isTrue();
        assertThat(permissions.allows(RO, Permission.READ, QueueName.of("/", "other")))
                .isFalse();
        assertThat(permissions.allows(RO, Permission.CONFIGURE, QueueName.of("/", "q")))
                .isFalse();
        assertThat(permissions.allows(RO, Permission.WRITE, ExchangeName.of("/", "")))
                .isTrue();
        assertThat(permissions.allows(RO, Permission.WRITE, ExchangeName.of("/", "amq.fanout")))
                .isFalse();
    }

    @Test
    void aChangeCountsAtOnce() {
        permit("", "", ".*");
        assertThat(permissions.allows(RO, Permission.WRITE, QueueName.of("/", "q")))
                .isFalse();
        permit("(", ".*", ".*");
        assertThat(permissions.allows(RO, Permission.WRITE, QueueName.of("/", "q")))
                .isTrue();
        assertThat(permissions.allows(RO, Permission.CONFIGURE, QueueName.of("/", "q")))
                .isFalse();
        definitions.agree(new DefinitionChange.DeletePermission(RO, ROOT));
        assertThat(permissions.allows(RO, Permission.READ, QueueName.of("/", "q")))
                .isFalse();
    }

    @Test
    void manyNamesDoNotGrowTheMemoryOfAnswersWithoutBound() {
        permit("", "", "^q");
        for (int i = 0; i < 3000; i++) {
            assertThat(permissions.allows(RO, Permission.READ, QueueName.of("/", "q" + i)))
                    .isTrue();
        }
        assertThat(permissions.allows(RO, Permission.READ, QueueName.of("/", "x")))
                .isFalse();
    }

    @Test
    void topicPermissionsRestrictRoutingKeys() {
        ExchangeName topic = ExchangeName.of("/", "amq.topic");
        assertThat(permissions.allowsTopic(RO, Permission.WRITE, topic, "anything"))
                .isTrue();
        definitions.agree(new DefinitionChange.PutTopicPermission(
                new TopicPermissionDefinition(RO, ROOT, "amq.topic", "^{username}\\.", "")));
        assertThat(permissions.allowsTopic(RO, Permission.WRITE, topic, "ro.x")).isTrue();
        assertThat(permissions.allowsTopic(RO, Permission.WRITE, topic, "other.x"))
                .isFalse();
        assertThat(permissions.allowsTopic(RO, Permission.READ, topic, "ro.x")).isFalse();
        assertThat(permissions.allowsTopic(RO, Permission.CONFIGURE, topic, "x"))
                .isTrue();
        assertThat(permissions.allowsTopic(RO, Permission.READ, ExchangeName.of("/", "other"), "x"))
                .isTrue();
    }

    @Test
    void variablesOfTopicPermissionsStandForTheirLetters() {
        UserName user = new UserName("CN=a.b,O=X (Y)");
        definitions.agree(new DefinitionChange.PutUser(user(user.value(), "")));
        definitions.agree(new DefinitionChange.PutTopicPermission(
                new TopicPermissionDefinition(user, ROOT, "amq.topic", "^{username}\\.{vhost}$", "^{client_id}$")));
        ExchangeName topic = new ExchangeName(ROOT, "amq.topic");
        assertThat(permissions.allowsTopic(user, Permission.WRITE, topic, "CN=a.b,O=X (Y)./"))
                .isTrue();
        assertThat(permissions.allowsTopic(user, Permission.WRITE, topic, "CN=axb,O=X (Y)./"))
                .as("a dot in a name is no wildcard")
                .isFalse();
        assertThat(permissions.allowsTopic(user, Permission.READ, topic, "{client_id}"))
                .isTrue();
        assertThat(permissions.allowsTopic(user, Permission.READ, topic, "x")).isFalse();
    }

    @Test
    void whoHasShownACertificateNeedsNoPasswordButMustBeKnown() {
        assertThat(authenticator
                        .logInVerified("nobody", HERE)
                        .toCompletableFuture()
                        .join())
                .isNotNull();
        assertThat(authenticator
                        .logInVerified("nosuch", HERE)
                        .toCompletableFuture()
                        .join())
                .isNull();
        assertThat(authenticator.logInVerified("", HERE).toCompletableFuture().join())
                .isNull();
    }

    @Test
    void tooManyLoginsAtATimeAreAFailureOfTheStageAndNotOfTheCaller() {
        Authenticator busy = new Authenticator(
                definitions,
                task -> {
                    throw new RejectedExecutionException();
                },
                Set.of());
        assertThat(busy.logIn("ro", new byte[] {1}, HERE).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LoginsOverloadedException.class);
    }
}
