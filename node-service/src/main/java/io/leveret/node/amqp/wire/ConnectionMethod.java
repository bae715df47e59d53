package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Class connection: shaking hands, closing, alarms. */
public sealed interface ConnectionMethod extends Method {
    int CLASS_ID = 10;

    /** Server: who it is, and how one may log in. */
    record Start(
            int versionMajor,
            int versionMinor,
            Map<String, @Nullable Object> serverProperties,
            byte[] mechanisms,
            byte[] locales)
            implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        static Start read(MethodReader in) {
            int versionMajor = in.octet();
            int versionMinor = in.octet();
            Map<String, @Nullable Object> serverProperties = in.table();
            byte[] mechanisms = in.longString();
            byte[] locales = in.longString();
            return new Start(versionMajor, versionMinor, serverProperties, mechanisms, locales);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(versionMajor);
            out.writeByte(versionMinor);
            Fields.writeTable(out, serverProperties);
            Fields.writeLongString(out, mechanisms);
            Fields.writeLongString(out, locales);
        }
    }

    /** Client: who it is, and its credentials. */
    record StartOk(Map<String, @Nullable Object> clientProperties, String mechanism, byte[] response, String locale)
            implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        static StartOk read(MethodReader in) {
            Map<String, @Nullable Object> clientProperties = in.table();
            String mechanism = in.shortString();
            byte[] response = in.longString();
            String locale = in.shortString();
            return new StartOk(clientProperties, mechanism, response, locale);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeTable(out, clientProperties);
            Fields.writeShortString(out, mechanism);
            Fields.writeLongString(out, response);
            Fields.writeShortString(out, locale);
        }
    }

    /** Server: a further question of the mechanism. */
    record Secure(byte[] challenge) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 20;

        static Secure read(MethodReader in) {
            byte[] challenge = in.longString();
            return new Secure(challenge);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeLongString(out, challenge);
        }
    }

    /** Client: its answer. */
    record SecureOk(byte[] response) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 21;

        static SecureOk read(MethodReader in) {
            byte[] response = in.longString();
            return new SecureOk(response);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeLongString(out, response);
        }
    }

    /** Server: the limits it offers. */
    record Tune(int channelMax, int frameMax, int heartbeat) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 30;

        static Tune read(MethodReader in) {
            int channelMax = in.shortInt();
            int frameMax = in.longInt();
            int heartbeat = in.shortInt();
            return new Tune(channelMax, frameMax, heartbeat);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(channelMax);
            out.writeInt(frameMax);
            out.writeShort(heartbeat);
        }
    }

    /** Client: the limits it chose. */
    record TuneOk(int channelMax, int frameMax, int heartbeat) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 31;

        static TuneOk read(MethodReader in) {
            int channelMax = in.shortInt();
            int frameMax = in.longInt();
            int heartbeat = in.shortInt();
            return new TuneOk(channelMax, frameMax, heartbeat);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(channelMax);
            out.writeInt(frameMax);
            out.writeShort(heartbeat);
        }
    }

    /** Client: the vhost it wants. */
    record Open(String virtualHost) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 40;

        static Open read(MethodReader in) {
            String virtualHost = in.shortString();
            in.shortString();
            in.octet();
            return new Open(virtualHost);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, virtualHost);
            out.writeByte(0);
            Fields.writeBits(out, false);
        }
    }

    /** Server: the connection is open. */
    record OpenOk() implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 41;

        static OpenOk read(MethodReader in) {
            in.shortString();
            return new OpenOk();
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(0);
        }
    }

    /** Either side ends the connection. */
    record Close(int replyCode, String replyText, int failedClassId, int failedMethodId) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 50;

        static Close read(MethodReader in) {
            int replyCode = in.shortInt();
            String replyText = in.shortString();
            int failedClassId = in.shortInt();
            int failedMethodId = in.shortInt();
            return new Close(replyCode, replyText, failedClassId, failedMethodId);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(replyCode);
            Fields.writeShortString(out, replyText);
            out.writeShort(failedClassId);
            out.writeShort(failedMethodId);
        }
    }

    /** The other side has seen it. */
    record CloseOk() implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 51;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Server: it reads nothing more for now. */
    record Blocked(String reason) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 60;

        static Blocked read(MethodReader in) {
            String reason = in.shortString();
            return new Blocked(reason);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, reason);
        }
    }

    /** Server: it reads again. */
    record Unblocked() implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 61;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: a newer credential. */
    record UpdateSecret(byte[] newSecret, String reason) implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 70;

        static UpdateSecret read(MethodReader in) {
            byte[] newSecret = in.longString();
            String reason = in.shortString();
            return new UpdateSecret(newSecret, reason);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeLongString(out, newSecret);
            Fields.writeShortString(out, reason);
        }
    }

    /** Server: it was taken. */
    record UpdateSecretOk() implements ConnectionMethod {
        static final int ID = (CLASS_ID << 16) | 71;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }
}
