package io.leveret.node;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Made again from its bundles whenever one of them is. Any thread. What cannot be read leaves the one before. */
final class TlsContexts implements TlsMaterial {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);

    private final SslBundles bundles;
    private final boolean hasAuthorities;
    private final X509ExtendedKeyManager keys = new CurrentKeys(() -> state().keys);
    private final X509ExtendedTrustManager authorities = new CurrentAuthorities(() -> {
        X509ExtendedTrustManager now = state().authorities;
        if (now == null) {
            throw new IllegalStateException("there are no authorities");
        }
        return now;
    });
    private volatile State current;

    private record State(
            SSLContext context,
            X509ExtendedKeyManager keys,
            @Nullable X509ExtendedTrustManager authorities) {}

    /** @throws IllegalStateException when the files cannot be used */
    TlsContexts(SslBundles bundles, boolean hasAuthorities) {
        this.bundles = bundles;
        this.hasAuthorities = hasAuthorities;
        this.current = make(bundles, hasAuthorities);
        bundles.addBundleUpdateHandler(TlsSettings.KEYS, this::renew);
        if (hasAuthorities) {
            bundles.addBundleUpdateHandler(TlsSettings.AUTHORITIES, this::renew);
        }
    }

    private void renew(SslBundle changed) {
        current = make(bundles, hasAuthorities);
        LOG.info("the TLS certificates were read again; new connections use them");
    }

    private static State make(SslBundles bundles, boolean hasAuthorities) {
        try {
            KeyManager[] keys =
                    bundles.getBundle(TlsSettings.KEYS).getManagers().getKeyManagers();
            TrustManager[] trust = hasAuthorities
                    ? bundles.getBundle(TlsSettings.AUTHORITIES).getManagers().getTrustManagers()
                    : new TrustManager[0];
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, hasAuthorities ? trust : null, null);
            return new State(
                    context,
                    Arrays.stream(keys)
                            .filter(X509ExtendedKeyManager.class::isInstance)
                            .map(X509ExtendedKeyManager.class::cast)
                            .findFirst()
                            .orElseThrow(() -> new IllegalStateException("there is no key")),
                    Arrays.stream(trust)
                            .filter(X509ExtendedTrustManager.class::isInstance)
                            .map(X509ExtendedTrustManager.class::cast)
                            .findFirst()
                            .orElse(null));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the TLS certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private State state() {
        return current;
    }

    @Override
    public SSLContext context() {
        return current.context;
    }

    @Override
    public X509ExtendedKeyManager keys() {
        return keys;
    }

    @Override
    public X509ExtendedTrustManager authorities() {
        return authorities;
    }
}
