package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CipherSuiteTest {
    @ParameterizedTest
    @CsvSource({
        "TLS_AES_256_GCM_SHA384, any, aes_256_gcm, aead",
        "TLS_CHACHA20_POLY1305_SHA256, any, chacha20_poly1305, aead",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, ecdhe_rsa, aes_256_gcm, aead",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, ecdhe_ecdsa, aes_128_cbc, sha256",
        "TLS_RSA_WITH_AES_128_CBC_SHA, rsa, aes_128_cbc, sha",
        "NOTHING, any, nothing, nothing"
    })
    void theNameSaysTheParts(String name, String keyExchange, String cipher, String hash) {
        assertThat(CipherSuite.parse(name)).isEqualTo(new CipherSuite(keyExchange, cipher, hash));
    }
}
