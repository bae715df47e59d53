package io.leveret.node;

import io.leveret.node.control.ListenerCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Until when the certificates in the files of TLS are valid. */
final class CertificateFiles {
    private CertificateFiles() {}

    /** @throws UncheckedIOException when a file cannot be read */
    static ListenerCertificates read(TlsSettings tls, String address) {
        Path authorities = tls.authorities();
        try {
            Path chain = tls.certificate();
            return new ListenerCertificates(
                    address,
                    tls.port(),
                    String.valueOf(chain == null ? tls.keyStore() : chain),
                    chain == null ? ends(store(tls.keyStore(), tls.password())) : ends(pem(chain)),
                    authorities == null ? "" : authorities.toString(),
                    authorities == null ? List.of() : ends(pem(authorities)));
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(new IOException("a certificate cannot be read", e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Collection<? extends Certificate> pem(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
    }

    private static List<Certificate> store(@Nullable Path file, @Nullable String password)
            throws IOException, GeneralSecurityException {
        if (file == null) {
            return List.of();
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password == null ? new char[0] : password.toCharArray());
        }
        List<Certificate> all = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            Certificate[] chain = store.getCertificateChain(alias);
            if (chain != null) {
                all.addAll(List.of(chain));
            }
        }
        return all;
    }

    private static List<Instant> ends(Collection<? extends Certificate> certificates) {
        return certificates.stream()
                .filter(X509Certificate.class::isInstance)
                .map(each -> ((X509Certificate) each).getNotAfter().toInstant())
                .toList();
    }
}
