package io.leveret.node;

import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The keys and authorities of now, which may be others later. Any thread. */
interface TlsMaterial {
    SSLContext context();

    /** Always the keys of now. */
    X509ExtendedKeyManager keys();

    /** Always the authorities of now. */
    X509ExtendedTrustManager authorities();
}
