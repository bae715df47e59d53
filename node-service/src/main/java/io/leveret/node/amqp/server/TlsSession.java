package io.leveret.node.amqp.server;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * What was agreed in a TLS handshake, and who the client proved to be.
 *
 * @param protocol such as {@code tlsv1.3}
 * @param peer null when the client has shown no certificate
 */
public record TlsSession(
        String protocol,
        String keyExchange,
        String cipher,
        String hash,
        @Nullable Peer peer) {

    /**
     * A verified client certificate.
     *
     * @param subject in the form of RFC 4514, the most specific part first
     * @param commonName the common names of the subject, with commas between them; empty when there is none
     * @param validity its two ends
     */
    public record Peer(String subject, String commonName, String issuer, String validity) {
        /** Empty when the certificate has no such name. */
        String user(TlsConfig.LoginFrom loginFrom) {
            return loginFrom == TlsConfig.LoginFrom.COMMON_NAME ? commonName : subject;
        }
    }

    /** The session of a socket whose handshake is done; null for one without TLS. */
    static @Nullable TlsSession of(Channel socket) {
        SslHandler tls = socket.pipeline().get(SslHandler.class);
        return tls == null ? null : of(tls.engine().getSession());
    }

    static TlsSession of(SSLSession session) {
        CipherSuite suite = CipherSuite.parse(session.getCipherSuite());
        return new TlsSession(
                session.getProtocol().toLowerCase(Locale.ROOT),
                suite.keyExchange(),
                suite.cipher(),
                suite.hash(),
                peer(session));
    }

    private static @Nullable Peer peer(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate first ? peer(first) : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    static Peer peer(X509Certificate certificate) {
        return new Peer(
                name(certificate.getSubjectX500Principal()),
                commonName(certificate.getSubjectX500Principal()),
                name(certificate.getIssuerX500Principal()),
                certificate.getNotBefore().toInstant() + " - "
                        + certificate.getNotAfter().toInstant());
    }

    private static String name(X500Principal principal) {
        return principal.getName(X500Principal.RFC2253);
    }

    private static String commonName(Principal principal) {
        List<String> names = new ArrayList<>();
        try {
            for (Rdn part : new LdapName(((X500Principal) principal).getName(X500Principal.RFC2253)).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String text) {
                    names.add(text);
                }
            }
        } catch (InvalidNameException e) {
            // A name that cannot be read is no user name.
            return "";
        }
        Collections.sort(names);
        return String.join(",", names);
    }
}
