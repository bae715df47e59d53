package io.leveret.node.broker.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Passwords as they are kept: base64 of four bytes of salt and the digest of salt and password. This is the form in which
 * definition files carry them, so that users can be imported with their passwords.
 */
public final class PasswordHash {
    /** The names of algorithms in definition files; this one is used for new passwords. */
    public static final String SHA_256 = "rabbit_password_hashing_sha256";

    private static final Map<String, String> DIGESTS = Map.of(
            SHA_256, "SHA-256", "rabbit_password_hashing_sha512", "SHA-512", "rabbit_password_hashing_md5", "MD5");
    private static final int SALT_BYTES = 4;

    private PasswordHash() {}

    public static boolean isKnownAlgorithm(String algorithm) {
        return DIGESTS.containsKey(algorithm);
    }

    /**
     * The hash of a password with SHA-256.
     *
     * @param salt four random bytes
     */
    public static String of(byte[] password, byte[] salt) {
        byte[] digest = digest("SHA-256", salt, password);
        byte[] both = Arrays.copyOf(salt, salt.length + digest.length);
        System.arraycopy(digest, 0, both, salt.length, digest.length);
        return Base64.getEncoder().encodeToString(both);
    }

    /** As {@link #of(byte[], byte[])}, the password in UTF-8. */
    public static String of(String password, byte[] salt) {
        return of(password.getBytes(StandardCharsets.UTF_8), salt);
    }

    /** Whether the password is the one of the hash. An empty hash, or one of an unknown algorithm, lets nobody in. */
    public static boolean matches(String hash, String algorithm, byte[] password) {
        String digestName = DIGESTS.get(algorithm);
        // RabbitMQ refuses blank passwords, whatever was stored.
        if (hash.isEmpty() || digestName == null || password.length == 0) {
            return false;
        }
        byte[] both;
        try {
            both = Base64.getDecoder().decode(hash);
        } catch (IllegalArgumentException e) {
            return false;
        }
        if (both.length <= SALT_BYTES) {
            return false;
        }
        byte[] salt = Arrays.copyOf(both, SALT_BYTES);
        byte[] expected = Arrays.copyOfRange(both, SALT_BYTES, both.length);
        return MessageDigest.isEqual(expected, digest(digestName, salt, password));
    }

    private static byte[] digest(String name, byte[] salt, byte[] password) {
        try {
            MessageDigest digest = MessageDigest.getInstance(name);
            digest.update(salt);
            return digest.digest(password);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
    }
}
