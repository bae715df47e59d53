package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.FrameDecoder;
import io.leveret.node.amqp.wire.FrameEncoder;
import io.leveret.node.amqp.wire.FrameSink;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Map;

/** A client that sends whatever it is told to, and writes down what comes back in one line per frame. */
final class RawClient implements AutoCloseable, FrameSink {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final FrameDecoder decoder = new FrameDecoder(this, 1 << 20);
    private final ByteBuf in = Unpooled.buffer();
    private final ArrayDeque<String> frames = new ArrayDeque<>();
    private final ArrayDeque<Method> methods = new ArrayDeque<>();
    private MessageProperties properties = MessageProperties.of(MessageProperties.NONE);

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
    }

    static RawClient open(int port) throws IOException {
        return open(port, "guest", "/", 2047);
    }

    static RawClient open(int port, String user, String vhost, int channelMax) throws IOException {
        RawClient client = new RawClient(port);
        client.raw("AMQP".getBytes(StandardCharsets.US_ASCII)).raw(new byte[] {0, 0, 9, 1});
        client.next();
        client.startOk("PLAIN", "\0" + user + "\0" + user, true);
        client.next();
        client.send(0, new ConnectionMethod.TuneOk(channelMax, 131_072, 0));
        client.send(0, new ConnectionMethod.Open(vhost));
        client.next();
        return client;
    }

    /** With channel 1 open. */
    static RawClient withChannel(int port, String user) throws IOException {
        RawClient client = open(port, user, "/", 2047);
        client.send(1, new ChannelMethod.Open());
        client.next();
        return client;
    }

    void startOk(String mechanism, String response, boolean isCloseWanted) throws IOException {
        Map<String, Object> capabilities =
                isCloseWanted ? Map.of("authentication_failure_close", true, "consumer_cancel_notify", true) : Map.of();
        send(
                0,
                new ConnectionMethod.StartOk(
                        Map.of("capabilities", capabilities),
                        mechanism,
                        response.getBytes(StandardCharsets.UTF_8),
                        "en_US"));
    }

    RawClient raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawClient raw(String hex) throws IOException {
        return raw(ByteBufUtil.decodeHexDump(hex));
    }

    RawClient send(int channel, Method method) throws IOException {
        return raw(bytes(channel, method));
    }

    RawClient publish(int channel, BasicMethod.Publish method, byte[] header, String body) throws IOException {
        return raw(bytes(channel, method, header, body));
    }

    /** The frame of a method. */
    static byte[] bytes(int channel, Method method) {
        ByteBuf out = Unpooled.buffer();
        FrameEncoder.writeMethod(out, channel, method);
        return ByteBufUtil.getBytes(out);
    }

    /** The frames of a publish. */
    static byte[] bytes(int channel, BasicMethod.Publish method, byte[] header, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        ByteBuf out = Unpooled.buffer();
        FrameEncoder.writeMethod(out, channel, method);
        FrameEncoder.writeHeader(out, channel, new Message("", "", header, bytes, false));
        if (bytes.length > 0) {
            FrameEncoder.writeBody(out, channel, bytes, 0, bytes.length);
        }
        return ByteBufUtil.getBytes(out);
    }

    /** The next frame as text; "end" when the server closed the socket. */
    String next() throws IOException {
        while (frames.isEmpty()) {
            if (decoder.decodeNext(in)) {
                continue;
            }
            byte[] bytes = new byte[64 << 10];
            int length;
            try {
                length = socket.getInputStream().read(bytes);
            } catch (SocketTimeoutException e) {
                return "silence";
            } catch (IOException e) {
                return "end";
            }
            if (length < 0) {
                return "end";
            }
            in.discardReadBytes().writeBytes(bytes, 0, length);
        }
        return frames.poll();
    }

    /** Ends the connection as a machine does that lost its power and came back. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** How long {@link #next} waits. */
    void patience(int milliseconds) throws IOException {
        socket.setSoTimeout(milliseconds);
    }

    /** Bytes that are no frames, until the socket is closed. */
    byte[] rest() throws IOException {
        return socket.getInputStream().readAllBytes();
    }

    /** The last method that {@link #next} brought. */
    Method lastMethod() {
        return methods.getLast();
    }

    /** The properties of the last message that {@link #next} brought. */
    MessageProperties lastProperties() {
        return properties;
    }

    @Override
    public void onMethod(int channel, Method method) {
        methods.add(method);
        if (method instanceof ConnectionMethod.Close close) {
            frames.add("connection.close " + close.replyCode() + " " + close.replyText() + " (" + close.failedClassId()
                    + "," + close.failedMethodId() + ") on " + channel);
        } else if (method instanceof ChannelMethod.Close close) {
            frames.add("channel.close " + close.replyCode() + " " + close.replyText() + " (" + close.failedClassId()
                    + "," + close.failedMethodId() + ") on " + channel);
        } else {
            frames.add(method.toString());
        }
    }

    @Override
    public void onHeader(int channel, int classId, long bodySize, ByteBuf properties) {
        frames.add("header " + bodySize);
        this.properties = MessageProperties.of(ByteBufUtil.getBytes(properties));
    }

    @Override
    public void onBody(int channel, ByteBuf payload) {
        frames.add("body " + payload.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void onHeartbeat() {
        frames.add("heartbeat");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
