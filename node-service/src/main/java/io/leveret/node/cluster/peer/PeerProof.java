package io.leveret.node.cluster.peer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What each side shows to prove the secret: HMAC-SHA256 over its role, the format version, both nonces and both node names.
 * The secret itself is never sent, and a proof is of no use for another connection or for the other role.
 */
record PeerProof(int version, byte[] callerNonce, byte[] calledNonce, String caller, String called) {
    static final int NONCE_BYTES = 32;
    static final int PROOF_BYTES = 32;

    byte[] ofCaller(byte[] secret) {
        return of(secret, "leveret link caller");
    }

    byte[] ofCalled(byte[] secret) {
        return of(secret, "leveret link called");
    }

    static boolean isEqual(byte[] expected, byte[] shown) {
        return MessageDigest.isEqual(expected, shown);
    }

    private byte[] of(byte[] secret, String role) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            field(mac, role.getBytes(StandardCharsets.UTF_8));
            field(mac, ByteBuffer.allocate(4).putInt(version).array());
            field(mac, callerNonce);
            field(mac, calledNonce);
            field(mac, caller.getBytes(StandardCharsets.UTF_8));
            field(mac, called.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /** With its length, so that no two lists of fields give the same bytes. */
    private static void field(Mac mac, byte[] value) {
        mac.update(ByteBuffer.allocate(4).putInt(value.length).flip());
        mac.update(value);
    }
}
