package io.leveret.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.amqp.server.TlsConfig.ClientCertificates;
import io.leveret.node.amqp.server.TlsConfig.LoginFrom;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of who may come, and how. */
class AccessSettingsTest {
    private static final String SECRET = "0123456789abcdef";

    @Test
    void loopbackUsersAreAListOrNone() {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", SECRET));
        assertThat(NodeConfig.fromEnvironment(environment).loopbackUsers()).containsExactly("guest");
        environment.put("LEVERET_LOOPBACK_USERS", "guest, ops");
        assertThat(NodeConfig.fromEnvironment(environment).loopbackUsers()).containsExactlyInAnyOrder("guest", "ops");
        environment.put("LEVERET_GUEST_REMOTE", "true");
        assertThat(NodeConfig.fromEnvironment(environment).loopbackUsers()).containsExactly("ops");
        environment.put("LEVERET_LOOPBACK_USERS", "none");
        assertThat(NodeConfig.fromEnvironment(environment).loopbackUsers()).isEmpty();
    }

    @Test
    void tlsTakesPemFilesOrAStoreAndClientCertificatesIfThereIsAnAuthority() {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", SECRET));
        assertThat(NodeConfig.fromEnvironment(environment).tls()).isNull();
        environment.put("LEVERET_TLS_CERTIFICATE", "/etc/server.pem");
        environment.put("LEVERET_TLS_KEY", "/etc/server.key");
        TlsSettings plain = NodeConfig.fromEnvironment(environment).tls();
        assertThat(plain.port()).isEqualTo(5671);
        assertThat(plain.clientCertificates()).isEqualTo(ClientCertificates.NOT_ASKED);
        assertThat(plain.bundles())
                .containsEntry("spring.ssl.bundle.pem.leveret.keystore.certificate", "file:///etc/server.pem");
        environment.put("LEVERET_TLS_CA", "/etc/ca.pem");
        environment.put("LEVERET_TLS_VERIFY_PEER", "true");
        environment.put("LEVERET_TLS_LOGIN_FROM", "common_name");
        TlsSettings verified = NodeConfig.fromEnvironment(environment).tls();
        assertThat(verified.clientCertificates()).isEqualTo(ClientCertificates.WANTED);
        assertThat(verified.loginFrom()).isEqualTo(LoginFrom.COMMON_NAME);
        environment.put("LEVERET_TLS_FAIL_IF_NO_PEER_CERT", "true");
        assertThat(NodeConfig.fromEnvironment(environment).tls().clientCertificates())
                .isEqualTo(ClientCertificates.NEEDED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LEVERET_TLS_KEY=k | LEVERET_TLS_KEY has no effect without LEVERET_TLS_CERTIFICATE or LEVERET_TLS_KEYSTORE",
                "LEVERET_TLS_CERTIFICATE=c | LEVERET_TLS_CERTIFICATE goes with LEVERET_TLS_KEY",
                "LEVERET_TLS_KEYSTORE=s LEVERET_TLS_KEY=k | LEVERET_TLS_KEYSTORE excludes LEVERET_TLS_KEY",
                "LEVERET_TLS_KEYSTORE=s LEVERET_TLS_CA=a | LEVERET_TLS_CA goes together with LEVERET_TLS_VERIFY_PEER=true or",
                "LEVERET_TLS_KEYSTORE=s LEVERET_TLS_VERIFY_PEER=true | LEVERET_TLS_CA goes together with LEVERET_TLS_VERIFY_PEER=true or",
                "LEVERET_TLS_KEYSTORE=s LEVERET_TLS_CLUSTER=true | LEVERET_TLS_CA goes together with",
                "LEVERET_TLS_CLUSTER=true | has no effect without",
                "LEVERET_TLS_KEYSTORE=s LEVERET_TLS_FAIL_IF_NO_PEER_CERT=true | has no effect without",
                "LEVERET_TLS_KEYSTORE=s LEVERET_TLS_LOGIN_FROM=dn | is neither distinguished_name nor common_name"
            })
    void tlsSettingsThatDoNotFitAreRefused(String settings, String reason) {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", SECRET));
        for (String each : settings.split(" ")) {
            environment.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        assertThatThrownBy(() -> NodeConfig.fromEnvironment(environment))
                .isInstanceOf(NodeConfig.ConfigException.class)
                .hasMessageContaining(reason);
    }
}
