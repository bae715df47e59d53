package io.leveret.node;

import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The TLS context of now, made again whenever one of its bundles is. Any thread. What cannot be read leaves the one before. */
final class TlsContexts implements Supplier<SSLContext> {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);

    private final SslBundles bundles;
    private final boolean isPeerVerified;
    private volatile SSLContext current;

    /** @throws IllegalStateException when the files cannot be used */
    TlsContexts(SslBundles bundles, boolean isPeerVerified) {
        this.bundles = bundles;
        this.isPeerVerified = isPeerVerified;
        this.current = make(bundles, isPeerVerified);
        bundles.addBundleUpdateHandler(TlsSettings.KEYS, this::renew);
        if (isPeerVerified) {
            bundles.addBundleUpdateHandler(TlsSettings.AUTHORITIES, this::renew);
        }
    }

    private void renew(SslBundle changed) {
        current = make(bundles, isPeerVerified);
        LOG.info("the TLS certificates were read again; new connections use them");
    }

    private static SSLContext make(SslBundles bundles, boolean isPeerVerified) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    bundles.getBundle(TlsSettings.KEYS).getManagers().getKeyManagers(),
                    isPeerVerified
                            ? bundles.getBundle(TlsSettings.AUTHORITIES)
                                    .getManagers()
                                    .getTrustManagers()
                            : null,
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the TLS certificates cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public SSLContext get() {
        return current;
    }
}
