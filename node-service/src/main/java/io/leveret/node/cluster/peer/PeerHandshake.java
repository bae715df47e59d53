package io.leveret.node.cluster.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Two nodes prove to each other that they hold the same secret, before anything else is read:
 *
 * <pre>
 * caller                                            called
 * HELLO(version, nonce, boot, names)      →
 *                                         ←         CHALLENGE(version, nonce, boot, name, proof of the called)
 * PROOF(proof of the caller)              →
 *                                         ←         WELCOME
 * </pre>
 *
 * Either side ends it with REFUSED(reason). A probe is the same exchange, after which the caller hangs up. Owned by the
 * connection's executor.
 */
final class PeerHandshake implements PeerFrameDecoder.Sink {
    /** The version of the link format: of frames, of the handshake, and of what the services say to each other. */
    static final int VERSION = 1;

    static final int MAGIC = 0x4c56524c;
    private static final int FLAG_PROBE = 1;

    /** How it ended; exactly one call. */
    interface Outcome {
        /** For the called: the link may be opened now and {@link PeerHandshake#welcome} sent. */
        void proved(String peer, long peerBoot, boolean isProbe);

        void refused(String peer, PeerRefusal reason);

        void failed(String reason);
    }

    private enum Waiting {
        HELLO,
        CHALLENGE,
        PROOF,
        WELCOME,
        NOTHING
    }

    private final PeerConfig config;
    private final Channel channel;
    private final byte[] nonce;
    private final Outcome outcome;
    private Waiting waiting;
    private boolean isProbe;
    private String peer;
    private long peerBoot;
    private @Nullable PeerProof proof;

    private PeerHandshake(
            PeerConfig config, Channel channel, byte[] nonce, Outcome outcome, Waiting first, String peer) {
        this.config = config;
        this.channel = channel;
        this.nonce = nonce;
        this.outcome = outcome;
        this.waiting = first;
        this.peer = peer;
    }

    static PeerHandshake called(PeerConfig config, Channel channel, byte[] nonce, Outcome outcome) {
        return new PeerHandshake(
                config, channel, nonce, outcome, Waiting.HELLO, String.valueOf(channel.remoteAddress()));
    }

    /** @param expected the name of the node that is called; empty for a probe, which takes any */
    static PeerHandshake calling(PeerConfig config, Channel channel, byte[] nonce, Outcome outcome, String expected) {
        PeerHandshake handshake = new PeerHandshake(config, channel, nonce, outcome, Waiting.CHALLENGE, expected);
        handshake.isProbe = expected.isEmpty();
        handshake.sendHello();
        return handshake;
    }

    private void sendHello() {
        byte[] caller = config.self().value().getBytes(StandardCharsets.UTF_8);
        byte[] called = peer.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(64 + caller.length + called.length);
        out.putInt(MAGIC).putShort((short) VERSION).put((byte) (isProbe ? FLAG_PROBE : 0));
        out.put(nonce).putLong(config.boot());
        putText(out, caller);
        putText(out, called);
        send(PeerFrame.HELLO, out.flip());
    }

    @Override
    public void frame(int classByte, int type, ByteBuffer payload) {
        try {
            if (classByte != PeerFrame.CONTROL) {
                broken("a frame before the handshake");
            } else if (type == PeerFrame.REFUSED) {
                refusedByPeer(payload.get());
            } else if (type == PeerFrame.HELLO && waiting == Waiting.HELLO) {
                onHello(payload);
            } else if (type == PeerFrame.CHALLENGE && waiting == Waiting.CHALLENGE) {
                onChallenge(payload);
            } else if (type == PeerFrame.PROOF && waiting == Waiting.PROOF) {
                onProof(payload);
            } else if (type == PeerFrame.WELCOME && waiting == Waiting.WELCOME) {
                waiting = Waiting.NOTHING;
                outcome.proved(peer, peerBoot, isProbe);
            } else {
                broken("frame " + type + " is not expected while waiting for " + waiting);
            }
        } catch (BufferUnderflowException e) {
            broken("frame " + type + " is too short");
        }
    }

    private void onHello(ByteBuffer in) {
        if (in.getInt() != MAGIC) {
            broken("the other side does not speak the link format");
            return;
        }
        int version = in.getShort();
        if (version != VERSION) {
            refuse(PeerRefusal.WRONG_VERSION);
            return;
        }
        isProbe = (in.get() & FLAG_PROBE) != 0;
        byte[] callerNonce = nonceFrom(in);
        peerBoot = in.getLong();
        String caller = text(in);
        String called = text(in);
        peer = caller;
        String self = config.self().value();
        if (!isProbe && caller.equals(self)) {
            refuse(PeerRefusal.SAME_NAME);
        } else if (!called.isEmpty() && !called.equals(self)) {
            refuse(PeerRefusal.WRONG_NAME);
        } else if (!isProbe && caller.compareTo(self) > 0) {
            broken("the pair's other node makes the connection");
        } else {
            PeerProof exchange = new PeerProof(VERSION, callerNonce, nonce, caller, self);
            proof = exchange;
            waiting = Waiting.PROOF;
            sendChallenge(exchange, self.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void sendChallenge(PeerProof exchange, byte[] self) {
        ByteBuffer out = ByteBuffer.allocate(96 + self.length);
        out.putShort((short) VERSION).put(nonce).putLong(config.boot());
        putText(out, self);
        out.put(exchange.ofCalled(config.secret()));
        send(PeerFrame.CHALLENGE, out.flip());
    }

    private void onChallenge(ByteBuffer in) {
        if (in.getShort() != VERSION) {
            refuse(PeerRefusal.WRONG_VERSION);
            return;
        }
        byte[] calledNonce = nonceFrom(in);
        peerBoot = in.getLong();
        String called = text(in);
        byte[] shown = new byte[PeerProof.PROOF_BYTES];
        in.get(shown);
        boolean isOther = !isProbe && !called.equals(peer);
        peer = called;
        PeerProof exchange =
                new PeerProof(VERSION, nonce, calledNonce, config.self().value(), called);
        if (isOther) {
            refuse(PeerRefusal.WRONG_NAME);
        } else if (!PeerProof.isEqual(exchange.ofCalled(config.secret()), shown)) {
            refuse(PeerRefusal.WRONG_SECRET);
        } else {
            waiting = Waiting.WELCOME;
            send(PeerFrame.PROOF, ByteBuffer.wrap(exchange.ofCaller(config.secret())));
        }
    }

    private void onProof(ByteBuffer in) {
        byte[] shown = new byte[PeerProof.PROOF_BYTES];
        in.get(shown);
        if (proof == null || !PeerProof.isEqual(proof.ofCaller(config.secret()), shown)) {
            refuse(PeerRefusal.WRONG_SECRET);
        } else {
            waiting = Waiting.NOTHING;
            outcome.proved(peer, peerBoot, isProbe);
        }
    }

    /** The called opens the link: what it sends next comes after this. */
    void welcome() {
        send(PeerFrame.WELCOME, ByteBuffer.allocate(0));
    }

    private void refuse(PeerRefusal reason) {
        waiting = Waiting.NOTHING;
        send(PeerFrame.REFUSED, ByteBuffer.wrap(new byte[] {(byte) reason.ordinal()}));
        outcome.refused(peer, reason);
    }

    private void refusedByPeer(int code) {
        waiting = Waiting.NOTHING;
        PeerRefusal[] reasons = PeerRefusal.values();
        outcome.refused(peer, code >= 0 && code < reasons.length ? reasons[code] : PeerRefusal.WRONG_VERSION);
    }

    @Override
    public void broken(String reason) {
        if (waiting != Waiting.NOTHING) {
            waiting = Waiting.NOTHING;
            outcome.failed(reason);
        }
    }

    @Override
    public void closed() {
        broken("the connection was closed");
    }

    private void send(int type, ByteBuffer payload) {
        ByteBuf out = channel.alloc().buffer(PeerFrame.sizeOf(payload));
        PeerFrame.append(out, new CRC32C(), PeerFrame.CONTROL, type, payload);
        channel.writeAndFlush(out);
    }

    private static byte[] nonceFrom(ByteBuffer in) {
        byte[] value = new byte[PeerProof.NONCE_BYTES];
        in.get(value);
        return value;
    }

    private static void putText(ByteBuffer out, byte[] text) {
        out.putShort((short) text.length).put(text);
    }

    private static String text(ByteBuffer in) {
        int length = in.getShort() & 0xffff;
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
