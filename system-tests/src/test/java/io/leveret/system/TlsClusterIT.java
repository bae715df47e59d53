package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes whose link and Raft use TLS. */
class TlsClusterIT {
    @Test
    void nodesAgreeAndMirrorOverTls(@TempDir Path files) throws Exception {
        Instant end = Instant.now().plus(Duration.ofDays(90));
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=Cluster CA")
                .notAfter(end)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle node = new CertificateBuilder()
                .subject("CN=node")
                .notAfter(end)
                .addSanIpAddress(InetAddress.getByName("127.0.0.1"))
                .buildIssuedBy(authority);
        Map<String, String> settings = Map.of(
                "LEVERET_TLS_CERTIFICATE",
                        Files.writeString(files.resolve("node.pem"), node.getCertificatePathPEM())
                                .toString(),
                "LEVERET_TLS_KEY",
                        Files.writeString(files.resolve("node.key"), node.getPrivateKeyPEM())
                                .toString(),
                "LEVERET_TLS_CA",
                        Files.writeString(files.resolve("ca.pem"), authority.getCertificatePEM())
                                .toString(),
                "LEVERET_TLS_CLUSTER", "true");
        try (Cluster cluster = Cluster.start("tlscluster", 2, settings)) {
            cluster.policy("all", "^ha\\\\.", "{\"ha-mode\":\"all\"}");
            try (Connection one = cluster.connect(1);
                    Connection two = cluster.connect(2)) {
                Channel at1 = one.createChannel();
                Channel at2 = two.createChannel();
                at1.queueDeclare("ha.q", true, false, false, null);
                cluster.awaitInSync("ha.q", 1);
                at2.confirmSelect();
                for (int i = 0; i < 100; i++) {
                    at2.basicPublish("", "ha.q", MessageProperties.PERSISTENT_BASIC, new byte[10_000]);
                }
                at2.waitForConfirmsOrDie(60_000);
                assertThat(at1.queueDeclarePassive("ha.q").getMessageCount()).isEqualTo(100);
                assertThat(at2.basicGet("ha.q", true).getBody()).hasSize(10_000);
            }
        }
    }
}
