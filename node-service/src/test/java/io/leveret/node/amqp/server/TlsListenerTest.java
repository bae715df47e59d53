package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import com.rabbitmq.client.MessageProperties;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java client, and clients that misbehave, against the listener with TLS. */
@Timeout(60)
class TlsListenerTest {
    private static X509Bundle authority;
    private static X509Bundle server;
    private static X509Bundle client;

    private final ExecutorService handshakes = Executors.newFixedThreadPool(2);
    private final AtomicReference<SSLContext> context = new AtomicReference<>();
    private MemoryBroker broker;

    @BeforeAll
    static void certificates() throws Exception {
        authority = new CertificateBuilder()
                .subject("CN=Test CA,O=Leveret")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        server = certificate("CN=server");
        client = certificate("CN=alice,O=Org\\, Inc,C=DE");
    }

    static X509Bundle certificate(String subject) throws Exception {
        return new CertificateBuilder()
                .subject(subject)
                .addSanIpAddress(InetAddress.getLoopbackAddress())
                .buildIssuedBy(authority);
    }

    private void start(TlsConfig.ClientCertificates asked, TlsConfig.LoginFrom loginFrom) throws Exception {
        context.set(context(server));
        broker = new MemoryBroker(
                2,
                0,
                config -> config.withTls(new TlsConfig(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        context::get,
                        asked,
                        loginFrom,
                        handshakes)));
    }

    @AfterEach
    void stop() {
        broker.close();
        handshakes.shutdownNow();
    }

    /** With the certificate, if there is one, and trust in the authority. */
    private static SSLContext context(X509Bundle own) throws Exception {
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(
                own == null ? null : own.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                new SecureRandom());
        return made;
    }

    private ConnectionFactory factory(X509Bundle own) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(broker.server.tlsPort());
        factory.useSslProtocol(context(own));
        factory.enableHostnameVerification();
        factory.setAutomaticRecoveryEnabled(false);
        return factory;
    }

    private ConnectionStatistics only() throws Exception {
        return broker.server
                .connections()
                .connections()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .get(0);
    }

    private void define(String user) {
        broker.user(user);
        broker.definitions.agree(new DefinitionChange.PutPermission(
                new PermissionDefinition(new UserName(user), new VhostName("/"), ".*", ".*", ".*")));
    }

    @Test
    void messagesOfAnySizePassAndTheConnectionSaysHowItIsEncrypted() throws Exception {
        start(TlsConfig.ClientCertificates.NOT_ASKED, TlsConfig.LoginFrom.COMMON_NAME);
        try (Connection connection = factory(null).newConnection()) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            String queue = channel.queueDeclare().getQueue();
            Random random = new Random(5);
            for (int size : new int[] {0, 1, 16_384, 131_065, 3_000_000}) {
                byte[] body = new byte[size];
                random.nextBytes(body);
                channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body);
                channel.waitForConfirmsOrDie(30_000);
                assertThat(channel.basicGet(queue, true).getBody()).isEqualTo(body);
            }
            TlsSession tls = only().tls();
            assertThat(tls.protocol()).isEqualTo("tlsv1.3");
            assertThat(tls.keyExchange()).isEqualTo("any");
            assertThat(tls.cipher()).isEqualTo("aes_256_gcm");
            assertThat(tls.hash()).isEqualTo("aead");
            assertThat(tls.peer()).isNull();
        }
    }

    @Test
    void aClientIsKnownByTheCommonNameOfItsCertificate() throws Exception {
        start(TlsConfig.ClientCertificates.WANTED, TlsConfig.LoginFrom.COMMON_NAME);
        define("alice");
        ConnectionFactory factory = factory(client);
        factory.setSaslConfig(DefaultSaslConfig.EXTERNAL);
        try (Connection connection = factory.newConnection()) {
            assertThat(connection.isOpen()).isTrue();
            ConnectionStatistics seen = only();
            assertThat(seen.user()).isEqualTo("alice");
            assertThat(seen.authMechanism()).isEqualTo("EXTERNAL");
            assertThat(seen.tls().peer().subject()).isEqualTo("CN=alice,O=Org\\, Inc,C=DE");
            assertThat(seen.tls().peer().issuer()).isEqualTo("CN=Test CA,O=Leveret");
            assertThat(seen.tls().peer().validity())
                    .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ - \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        }
    }

    @Test
    void orByTheWholeSubjectAndOnlyIfItIsAUser() throws Exception {
        start(TlsConfig.ClientCertificates.NEEDED, TlsConfig.LoginFrom.DISTINGUISHED_NAME);
        ConnectionFactory factory = factory(client);
        factory.setSaslConfig(DefaultSaslConfig.EXTERNAL);
        assertThatThrownBy(factory::newConnection)
                .hasMessageContaining("ACCESS_REFUSED - Login was refused using authentication mechanism EXTERNAL. For"
                        + " details see the broker logfile.");
        define("CN=alice,O=Org\\, Inc,C=DE");
        try (Connection connection = factory.newConnection()) {
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void externalIsOfferedOnlyToThoseWhoHaveShownACertificate() throws Exception {
        start(TlsConfig.ClientCertificates.WANTED, TlsConfig.LoginFrom.COMMON_NAME);
        ConnectionFactory without = factory(null);
        without.setSaslConfig(offered -> {
            assertThat(offered).containsExactly("PLAIN", "AMQPLAIN");
            return DefaultSaslConfig.PLAIN.getSaslMechanism(offered);
        });
        without.newConnection().close();
        ConnectionFactory with = factory(client);
        with.setSaslConfig(offered -> {
            assertThat(offered).containsExactly("PLAIN", "AMQPLAIN", "EXTERNAL");
            return DefaultSaslConfig.PLAIN.getSaslMechanism(offered);
        });
        with.newConnection().close();
    }

    @Test
    void aCertificateOfAnotherAuthorityAndNoneAreRefusedWhenOneIsNeeded() throws Exception {
        start(TlsConfig.ClientCertificates.NEEDED, TlsConfig.LoginFrom.COMMON_NAME);
        X509Bundle other = new CertificateBuilder()
                .subject("CN=Other CA")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle stranger = new CertificateBuilder().subject("CN=alice").buildIssuedBy(other);
        assertThatThrownBy(() -> factory(stranger).newConnection()).isInstanceOf(java.io.IOException.class);
        assertThatThrownBy(() -> factory(null).newConnection()).isInstanceOf(java.io.IOException.class);
        factory(client).newConnection().close();
    }

    @Test
    void tls12IsSpokenAndNothingOlder() throws Exception {
        start(TlsConfig.ClientCertificates.NOT_ASKED, TlsConfig.LoginFrom.COMMON_NAME);
        try (SSLSocket socket = (SSLSocket) context(null)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), broker.server.tlsPort())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
        }
        try (SSLSocket socket = (SSLSocket) context(null)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), broker.server.tlsPort())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.1"});
            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void aNewCertificateCountsForNewConnectionsAndOldOnesLiveOn() throws Exception {
        start(TlsConfig.ClientCertificates.NOT_ASKED, TlsConfig.LoginFrom.COMMON_NAME);
        try (Connection old = factory(null).newConnection()) {
            context.set(context(certificate("CN=renewed")));
            try (SSLSocket socket = (SSLSocket) context(null)
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), broker.server.tlsPort())) {
                socket.startHandshake();
                assertThat(socket.getSession().getPeerPrincipal().getName()).isEqualTo("CN=renewed");
            }
            assertThat(old.createChannel().queueDeclare().getQueue()).startsWith("amq.gen");
        }
    }

    @Test
    void whoSpeaksNoTlsOnTheTlsPortIsClosedAtOnceAndTheOtherWayRound() throws Exception {
        start(TlsConfig.ClientCertificates.NOT_ASKED, TlsConfig.LoginFrom.COMMON_NAME);
        try (RawClient plain = new RawClient(broker.server.tlsPort())) {
            plain.raw("AMQP\0\0\t\u0001".getBytes(StandardCharsets.US_ASCII));
            assertThat(plain.rest()).hasSizeLessThan(20);
        }
        assertThatThrownBy(() -> {
                    try (SSLSocket socket = (SSLSocket) context(null)
                            .getSocketFactory()
                            .createSocket(InetAddress.getLoopbackAddress(), broker.port)) {
                        socket.startHandshake();
                    }
                })
                .isInstanceOf(SSLException.class);
    }

    @Test
    void whoBeginsNoHandshakeIsClosedAfterSomeSeconds() throws Exception {
        start(TlsConfig.ClientCertificates.NOT_ASKED, TlsConfig.LoginFrom.COMMON_NAME);
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), broker.server.tlsPort())) {
            silent.setSoTimeout(9_000);
            assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(20);
        }
    }
}
