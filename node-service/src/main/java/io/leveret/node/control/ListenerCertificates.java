package io.leveret.node.control;

import java.time.Instant;
import java.util.List;

/**
 * What the listener with TLS shows of itself, as its files are now.
 *
 * @param file with the certificate chain, or the store
 * @param expire when each of its certificates does, the node's own first
 * @param authoritiesFile empty when clients need no certificate
 */
public record ListenerCertificates(
        String address,
        int port,
        String file,
        List<Instant> expire,
        String authoritiesFile,
        List<Instant> authoritiesExpire) {

    /** Reads the files. */
    @FunctionalInterface
    public interface Source {
        /** One for each listener with TLS. @throws java.io.UncheckedIOException when a file cannot be read */
        List<ListenerCertificates> read();
    }

    /** Whether one of them is over by then. */
    boolean isExpiringBy(Instant time) {
        return expire.stream().anyMatch(each -> !each.isAfter(time))
                || authoritiesExpire.stream().anyMatch(each -> !each.isAfter(time));
    }
}
