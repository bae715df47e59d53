package io.leveret.system;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import javax.net.SocketFactory;

/** A consumer without prefetch that stops reading its socket after the first {@link #READ_BYTES_MAX}. */
final class StuckConsumer implements AutoCloseable {
    private static final int READ_BYTES_MAX = 256 << 10;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Connection connection;

    StuckConsumer(int port, String queue) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setRequestedHeartbeat(0);
        factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
        factory.setSocketFactory(new StuckSockets());
        connection = factory.newConnection();
        Channel channel = connection.createChannel();
        channel.basicConsume(queue, false, (tag, message) -> {}, tag -> {});
    }

    /** Sockets that give so much and no more. */
    private final class StuckSockets extends SocketFactory {
        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public InputStream getInputStream() throws IOException {
                    return new StuckStream(super.getInputStream());
                }
            };
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException("connected by the client");
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            return createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            return createSocket("", port);
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            return createSocket("", port);
        }
    }

    private final class StuckStream extends FilterInputStream {
        private int readBytes;

        StuckStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            count(1);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = in.read(into, offset, length);
            count(count);
            return count;
        }

        private void count(int bytes) throws IOException {
            readBytes += bytes;
            if (readBytes > READ_BYTES_MAX) {
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new IOException("it reads no more");
            }
        }
    }

    @Override
    public void close() {
        ended.countDown();
        connection.abort(1_000);
    }
}
