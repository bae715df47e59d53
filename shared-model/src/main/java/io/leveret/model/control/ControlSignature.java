package io.leveret.model.control;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves that a request to the control API comes from someone who knows the cluster's secret, without sending it.
 *
 * <p>The signature is HMAC-SHA256 with the secret as its key, over these lines joined by a line feed: the word {@code
 * leveret-control-1}, the method, the request target exactly as it stands in the request line (path and query, encoded),
 * the user's header, the time's header, the nonce's header, and the SHA-256 of the body in base64url. It is sent in
 * base64url without padding. The receiver refuses a time that is more than {@link #SKEW_MILLIS_MAX} from its own and a nonce that it has
 * seen within twice that time, so that a recorded request cannot be sent again.
 */
public final class ControlSignature {
    /** Milliseconds since 1970, in decimal. */
    public static final String TIME_HEADER = "Leveret-Time";

    /** Random, at least 16 letters, used once. */
    public static final String NONCE_HEADER = "Leveret-Nonce";

    /** Who asks, percent-encoded UTF-8; absent (empty in the signature) for the operator himself, who may do everything. */
    public static final String USER_HEADER = "Leveret-User";

    public static final String SIGNATURE_HEADER = "Leveret-Signature";

    /** The {@code error} of a 401 for a wrong or missing signature; "not_authorised" is a user without the right. */
    public static final String REFUSED = "wrong_signature";

    /** Clocks of machines differ; more than this is a wrong clock or a recorded request. */
    public static final long SKEW_MILLIS_MAX = 60_000;

    private static final String SCHEME = "leveret-control-1";
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @throws IllegalArgumentException when the secret is empty */
    public ControlSignature(String secret) {
        if (secret.isBlank()) {
            throw new IllegalArgumentException("the cluster's secret is empty");
        }
        this.key = new SecretKeySpec(secret.strip().getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /**
     * What is signed. {@code user} is the header's value, empty when there is none; {@code millis} and {@code nonce} are
     * the values of their headers.
     */
    public record Request(String method, String target, String user, String millis, String nonce) {}

    /** The value of the signature header. */
    public String sign(Request request, byte[] body) {
        String text = String.join(
                "\n",
                SCHEME,
                request.method(),
                request.target(),
                request.user(),
                request.millis(),
                request.nonce(),
                base64(sha256(body)));
        return base64(hmac(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether the signature is right; takes the same time wherever a wrong one differs. */
    public boolean matches(Request request, byte[] body, String signature) {
        return MessageDigest.isEqual(
                sign(request, body).getBytes(StandardCharsets.US_ASCII), signature.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] hmac(byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text);
        } catch (GeneralSecurityException every) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, every);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException every) {
            throw new IllegalStateException("every Java platform has SHA-256", every);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
