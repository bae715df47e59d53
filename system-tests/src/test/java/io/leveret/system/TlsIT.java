package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** One node with TLS: its files, its clients, and who may do what. */
class TlsIT {
    @TempDir
    private static Path files;

    private static X509Bundle authority;
    private static X509Bundle client;
    private static int tlsPort;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        authority = new CertificateBuilder()
                .subject("CN=Test CA")
                .notAfter(Instant.now().plus(Duration.ofDays(900)))
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        client = certificate("CN=alice,O=Org");
        write(certificate("CN=first"));
        Files.writeString(files.resolve("ca.pem"), authority.getCertificatePEM());
        Map<String, String> settings = new HashMap<>();
        settings.put("LEVERET_TLS_CERTIFICATE", files.resolve("server.pem").toString());
        settings.put("LEVERET_TLS_KEY", files.resolve("server.key").toString());
        settings.put("LEVERET_TLS_CA", files.resolve("ca.pem").toString());
        settings.put("LEVERET_TLS_VERIFY_PEER", "true");
        settings.put("LEVERET_TLS_LOGIN_FROM", "common_name");
        cluster = Cluster.start("tls", 1, settings);
        tlsPort = cluster.tlsPort(1);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static X509Bundle certificate(String subject) throws Exception {
        return new CertificateBuilder()
                .subject(subject)
                .notAfter(Instant.now().plus(Duration.ofDays(90)))
                .addSanIpAddress(InetAddress.getLoopbackAddress())
                .buildIssuedBy(authority);
    }

    private static void write(X509Bundle server) throws Exception {
        Files.writeString(files.resolve("server.pem"), server.getCertificatePathPEM());
        Files.writeString(files.resolve("server.key"), server.getPrivateKeyPEM());
    }

    private static SSLContext context(X509Bundle own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : own.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                new SecureRandom());
        return context;
    }

    private static ConnectionFactory factory(X509Bundle own) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(tlsPort);
        factory.useSslProtocol(context(own));
        factory.enableHostnameVerification();
        factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
        factory.setAutomaticRecoveryEnabled(false);
        return factory;
    }

    private static String serverSubject() throws Exception {
        try (SSLSocket socket =
                (SSLSocket) context(null).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), tlsPort)) {
            socket.setSoTimeout(60_000);
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    private static void put(String path, String body) throws Exception {
        Cluster.Answer answer = cluster.api("PUT", path, body);
        assertThat(answer.status()).as(answer.body()).isIn(201, 204);
    }

    private static void user(String name) throws Exception {
        put("/api/users/" + name, "{\"password\":\"" + name + "\",\"tags\":\"\"}");
        put("/api/permissions/%2F/" + name, "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
    }

    private static Connection connectAs(String user, String vhost) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(cluster.amqpPort(1));
        factory.setUsername(user);
        factory.setPassword(user);
        factory.setVirtualHost(vhost);
        factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    @Test
    void aClientIsKnownByItsCertificateAndListingsShowIt() throws Exception {
        put("/api/users/alice", "{\"password_hash\":\"\",\"tags\":\"\"}");
        put("/api/permissions/%2F/alice", "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
        ConnectionFactory factory = factory(client);
        factory.setSaslConfig(DefaultSaslConfig.EXTERNAL);
        try (Connection connection = factory.newConnection("by certificate")) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            String queue = channel.queueDeclare().getQueue();
            channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, new byte[200_000]);
            channel.waitForConfirmsOrDie(60_000);
            assertThat(channel.basicGet(queue, true).getBody()).hasSize(200_000);

            JsonNode shown = Awaitility.await().until(() -> connectionOf("alice"), found -> found != null);
            assertThat(shown.path("ssl").asBoolean()).isTrue();
            assertThat(shown.path("ssl_protocol").asString()).isEqualTo("tlsv1.3");
            assertThat(shown.path("ssl_key_exchange").asString()).isEqualTo("any");
            assertThat(shown.path("ssl_cipher").asString()).isEqualTo("aes_256_gcm");
            assertThat(shown.path("ssl_hash").asString()).isEqualTo("aead");
            assertThat(shown.path("peer_cert_subject").asString()).isEqualTo("CN=alice,O=Org");
            assertThat(shown.path("peer_cert_issuer").asString()).isEqualTo("CN=Test CA");
            assertThat(shown.path("peer_cert_validity").asString()).contains("Z - ");
            assertThat(cluster.ctl(
                                    1,
                                    "-q",
                                    "list_connections",
                                    "user",
                                    "auth_mechanism",
                                    "ssl",
                                    "ssl_protocol",
                                    "peer_cert_subject")
                            .out())
                    .contains("alice\tEXTERNAL\ttrue\ttlsv1.3\tCN=alice,O=Org");
        }
    }

    private static @Nullable JsonNode connectionOf(String user) throws Exception {
        for (JsonNode each : cluster.get("/api/connections")) {
            if (each.path("user").asString("").equals(user)) {
                return each;
            }
        }
        return null;
    }

    @Test
    void theListenerIsListedAndItsCertificatesAreWatchedByTheHealthCheck() throws Exception {
        assertThat(cluster.get("/api/overview").path("listeners").toString())
                .contains("\"protocol\":\"amqp/ssl\"")
                .contains("\"port\":" + tlsPort);
        assertThat(cluster.ctl(1, "status").out())
                .contains("port: " + tlsPort + ", protocol: amqp/ssl, purpose: AMQP 0-9-1 and AMQP 1.0 over TLS");
        assertThat(cluster.api("GET", "/api/health/checks/certificate-expiration/1/weeks", "")
                        .status())
                .isEqualTo(200);
        Cluster.Answer soon = cluster.api("GET", "/api/health/checks/certificate-expiration/1/years", "");
        assertThat(soon.status()).isEqualTo(503);
        assertThat(soon.json().path("reason").asString()).isEqualTo("Certificates expiring");
        assertThat(soon.json().path("expired").path(0).path("port").asInt()).isEqualTo(tlsPort);
    }

    @Test
    void newFilesCountFromTheNextConnectionOnAndBrokenOnesDoNotCount() throws Exception {
        try (Connection old = factory(null).newConnection()) {
            write(certificate("CN=second"));
            Awaitility.await().until(TlsIT::serverSubject, "CN=second"::equals);
            Files.writeString(files.resolve("server.pem"), "not a certificate");
            Awaitility.await("the node has seen it")
                    .until(() -> Files.readString(cluster.folder().resolve("rabbit1.log"))
                            .contains("SSL reload error"));
            assertThat(serverSubject()).isEqualTo("CN=second");
            write(certificate("CN=third"));
            Awaitility.await().until(TlsIT::serverSubject, "CN=third"::equals);
            assertThat(old.createChannel().queueDeclare().getQueue()).startsWith("amq.gen");
        }
    }

    @Test
    void attemptsAreCountedAndListed() throws Exception {
        String path = "/api/auth/attempts/" + Cluster.name(1);
        assertThat(cluster.api("DELETE", path, "").status()).isEqualTo(204);
        user("counted");
        connectAs("counted", "/").close();
        ConnectionFactory wrong = new ConnectionFactory();
        wrong.setPort(cluster.amqpPort(1));
        wrong.setUsername("counted");
        wrong.setPassword("wrong");
        wrong.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
        assertThatThrownBy(wrong::newConnection).hasMessageContaining("ACCESS_REFUSED");
        assertThat(cluster.get(path).toString())
                .contains("{\"protocol\":\"amqp091\",\"auth_attempts\":2,\"auth_attempts_failed\":1,"
                        + "\"auth_attempts_succeeded\":1}")
                .contains("{\"protocol\":\"http\",");
        assertThat(cluster.get(path + "/source").toString())
                .contains("{\"remote_address\":\"127.0.0.1\",\"username\":\"counted\",\"protocol\":\"amqp091\","
                        + "\"auth_attempts\":2,\"auth_attempts_failed\":1,\"auth_attempts_succeeded\":1}");
        assertThat(cluster.ctl(1, "-q", "list_node_auth_attempt_stats").out()).contains("amqp091\t2\t1\t1");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(Files.readString(cluster.folder().resolve("rabbit1.log")))
                                .contains("failed to log in as user 'counted' by PLAIN")
                                .doesNotContain("wrong"));
        assertThat(cluster.api("GET", "/api/auth/attempts/nosuch", "").status()).isEqualTo(404);
    }

    @Test
    void whoIsDeletedIsSentAway() throws Exception {
        user("leaving");
        put("/api/vhosts/gone", "{}");
        put("/api/permissions/gone/guest", "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
        BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
        Connection byUser = connectAs("leaving", "/");
        byUser.addShutdownListener(cause -> reasons.add(cause.getReason().toString()));
        assertThat(cluster.api("DELETE", "/api/users/leaving", "").status()).isEqualTo(204);
        assertThat(reasons.poll(30, TimeUnit.SECONDS))
                .contains("reply-code=320, reply-text=CONNECTION_FORCED - user 'leaving' is deleted");
        Connection byVhost = connectAs("guest", "gone");
        byVhost.addShutdownListener(cause -> reasons.add(cause.getReason().toString()));
        assertThat(cluster.api("DELETE", "/api/vhosts/gone", "").status()).isEqualTo(204);
        assertThat(reasons.poll(30, TimeUnit.SECONDS))
                .contains("reply-code=320, reply-text=CONNECTION_FORCED - vhost 'gone' is deleted");
    }

    @Test
    void topicPermissionsAreSetByCommandAndImportedHashesLetIn() throws Exception {
        // md5 and sha512 of salt 01020304 and "secret"
        put(
                "/api/users/md5",
                "{\"password_hash\":\"" + hash("MD5") + "\",\"hashing_algorithm\":\"rabbit_password_hashing_md5\","
                        + "\"tags\":\"\"}");
        put(
                "/api/users/sha512",
                "{\"password_hash\":\"" + hash("SHA-512")
                        + "\",\"hashing_algorithm\":\"rabbit_password_hashing_sha512\",\"tags\":\"\"}");
        assertThat(cluster.ctl(1, "authenticate_user", "md5", "secret").code()).isZero();
        assertThat(cluster.ctl(1, "authenticate_user", "sha512", "secret").code())
                .isZero();
        assertThat(cluster.api(
                                "PUT",
                                "/api/users/other",
                                "{\"password_hash\":\"AQIDBA==\",\"hashing_algorithm\":\"nosuch\",\"tags\":\"\"}")
                        .body())
                .contains("unknown hashing algorithm nosuch");
        user("topics");
        Cluster.Output set = cluster.ctl(1, "set_topic_permissions", "topics", "amq.topic", "^{username}\\.", ".*");
        assertThat(set.err()).isEmpty();
        assertThat(set.code()).isZero();
        try (Connection connection = connectAs("topics", "/")) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            channel.basicPublish("amq.topic", "topics.x", null, new byte[1]);
            channel.waitForConfirmsOrDie(60_000);
            BlockingQueue<ShutdownSignalException> ends = new LinkedBlockingQueue<>();
            channel.addShutdownListener(ends::add);
            channel.basicPublish("amq.topic", "other.x", null, new byte[1]);
            assertThat(ends.poll(30, TimeUnit.SECONDS))
                    .hasMessageContaining("ACCESS_REFUSED - access to topic 'other.x' in exchange 'amq.topic' in vhost"
                            + " '/' refused for user 'topics'");
        }
    }

    private static String hash(String algorithm) throws Exception {
        byte[] salt = {1, 2, 3, 4};
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        digest.update(salt);
        byte[] hashed = digest.digest("secret".getBytes(StandardCharsets.UTF_8));
        byte[] both = Arrays.copyOf(salt, salt.length + hashed.length);
        System.arraycopy(hashed, 0, both, salt.length, hashed.length);
        return Base64.getEncoder().encodeToString(both);
    }
}
