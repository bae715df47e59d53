package io.leveret.node;

import io.leveret.node.NodeConfig.ConfigException;
import io.leveret.node.amqp.server.TlsConfig.ClientCertificates;
import io.leveret.node.amqp.server.TlsConfig.LoginFrom;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of TLS. The key is in PEM files (certificate, key) or in a PKCS12 store; the authorities of client
 * certificates are in a PEM file. All are watched: what is replaced counts from the next connection on.
 *
 * @param password of the key, or of the store
 * @param isForCluster links and Raft among the nodes use TLS, too
 */
record TlsSettings(
        int port,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path keyStore,
        @Nullable String password,
        @Nullable Path authorities,
        ClientCertificates clientCertificates,
        LoginFrom loginFrom,
        boolean isForCluster) {

    /** The names of the bundles that {@link #bundles} describes. */
    static final String KEYS = "leveret";

    static final String AUTHORITIES = "leveret-authorities";

    private static final String PREFIX = "LEVERET_TLS_";
    private static final String KEY = PREFIX + "KEY";
    private static final String CERTIFICATE = PREFIX + "CERTIFICATE";
    private static final String KEYSTORE = PREFIX + "KEYSTORE";
    private static final String CA = PREFIX + "CA";
    private static final String VERIFY = PREFIX + "VERIFY_PEER";
    private static final String NEED = PREFIX + "FAIL_IF_NO_PEER_CERT";
    private static final String LOGIN_FROM = PREFIX + "LOGIN_FROM";
    private static final String CLUSTER = PREFIX + "CLUSTER";
    private static final List<String> FURTHER =
            List.of(PREFIX + "PORT", KEY, PREFIX + "PASSWORD", CA, VERIFY, NEED, LOGIN_FROM, CLUSTER);
    /** A certificate and its key are two files: both should be there before they are read again. */
    private static final String SETTLED_WITHIN = "2s";

    /** Null when TLS is not configured. @throws ConfigException when the settings do not fit together */
    static @Nullable TlsSettings read(NodeConfig.Settings settings) {
        Path certificate = path(settings, CERTIFICATE);
        Path keyStore = path(settings, KEYSTORE);
        if (certificate == null && keyStore == null) {
            FURTHER.stream()
                    .filter(name -> settings.given(name) != null)
                    .findFirst()
                    .ifPresent(name -> {
                        throw new ConfigException(name + " has no effect without " + CERTIFICATE + " or " + KEYSTORE);
                    });
            return null;
        }
        Path key = path(settings, KEY);
        if (certificate != null && (key == null || keyStore != null)) {
            throw new ConfigException(CERTIFICATE + " goes with " + KEY + ", and excludes " + KEYSTORE);
        }
        if (keyStore != null && key != null) {
            throw new ConfigException(KEYSTORE + " excludes " + KEY);
        }
        Path authorities = path(settings, CA);
        boolean isVerified = settings.flag(VERIFY);
        if ((isVerified || settings.flag(CLUSTER)) != (authorities != null)) {
            throw new ConfigException(CA + " goes together with " + VERIFY + "=true or " + CLUSTER + "=true");
        }
        if (settings.flag(NEED) && !isVerified) {
            throw new ConfigException(NEED + "=true has no effect without " + VERIFY + "=true");
        }
        return new TlsSettings(
                settings.portOr(PREFIX + "PORT", 5_671),
                certificate,
                key,
                keyStore,
                settings.given(PREFIX + "PASSWORD"),
                authorities,
                clientCertificates(isVerified, settings.flag(NEED)),
                loginFrom(settings.text(LOGIN_FROM, "distinguished_name")),
                settings.flag(CLUSTER));
    }

    private static ClientCertificates clientCertificates(boolean isVerified, boolean isNeeded) {
        if (!isVerified) {
            return ClientCertificates.NOT_ASKED;
        }
        return isNeeded ? ClientCertificates.NEEDED : ClientCertificates.WANTED;
    }

    private static LoginFrom loginFrom(String word) {
        for (LoginFrom each : LoginFrom.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
                return each;
            }
        }
        throw new ConfigException(LOGIN_FROM + ": '" + word + "' is neither distinguished_name nor common_name");
    }

    private static @Nullable Path path(NodeConfig.Settings settings, String name) {
        String given = settings.given(name);
        return given == null ? null : Path.of(given).toAbsolutePath();
    }

    /** The properties that make SSL bundles of these files. */
    Map<String, Object> bundles() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("spring.ssl.bundle.watch.file.quiet-period", SETTLED_WITHIN);
        if (certificate != null && key != null) {
            String bundle = "spring.ssl.bundle.pem." + KEYS;
            properties.put(bundle + ".reload-on-update", true);
            properties.put(bundle + ".keystore.certificate", certificate.toUri().toString());
            properties.put(bundle + ".keystore.private-key", key.toUri().toString());
            properties.put(bundle + ".keystore.verify-keys", true);
            if (password != null) {
                properties.put(bundle + ".keystore.private-key-password", password);
            }
        } else if (keyStore != null) {
            String bundle = "spring.ssl.bundle.jks." + KEYS;
            properties.put(bundle + ".reload-on-update", true);
            properties.put(bundle + ".keystore.location", keyStore.toUri().toString());
            properties.put(bundle + ".keystore.type", "PKCS12");
            properties.put(bundle + ".keystore.password", password == null ? "" : password);
        }
        if (authorities != null) {
            String bundle = "spring.ssl.bundle.pem." + AUTHORITIES;
            properties.put(bundle + ".reload-on-update", true);
            properties.put(
                    bundle + ".truststore.certificate", authorities.toUri().toString());
        }
        return properties;
    }

    @Override
    public String toString() {
        return "TlsSettings[port=" + port + "]";
    }
}
