package io.leveret.node.amqp.server;

import java.util.Locale;

/**
 * The parts of a cipher suite's name, in the words of listings: {@code TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384} is ecdhe_rsa,
 * aes_256_gcm, aead. Suites of TLS 1.3 name no key exchange: any.
 */
record CipherSuite(String keyExchange, String cipher, String hash) {
    private static final String PREFIX = "tls_";
    private static final String WITH = "_with_";

    static CipherSuite parse(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String rest = lower.startsWith(PREFIX) ? lower.substring(PREFIX.length()) : lower;
        int with = rest.indexOf(WITH);
        String keyExchange = with < 0 ? "any" : rest.substring(0, with);
        String suite = with < 0 ? rest : rest.substring(with + WITH.length());
        int last = suite.lastIndexOf('_');
        String cipher = last < 0 ? suite : suite.substring(0, last);
        boolean isAuthenticating = cipher.endsWith("_gcm") || cipher.endsWith("_poly1305") || cipher.contains("_ccm");
        return new CipherSuite(keyExchange, cipher, isAuthenticating ? "aead" : suite.substring(last + 1));
    }
}
