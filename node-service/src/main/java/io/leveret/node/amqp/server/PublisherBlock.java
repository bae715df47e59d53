package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.Method;
import java.util.function.Consumer;

/**
 * What an alarm means for one connection: once it publishes it is no longer read, until the last alarm is over, and is told so if
 * it understands. On its loop.
 */
final class PublisherBlock {
    private final ConnectionRegistry registry;
    private final ReadingGate reading;
    private final Handshake client;
    private final Consumer<Method> toClient;

    PublisherBlock(ConnectionRegistry registry, ReadingGate reading, Handshake client, Consumer<Method> toClient) {
        this.registry = registry;
        this.reading = reading;
        this.client = client;
        this.toClient = toClient;
    }

    void published() {
        String alarm = registry.alarm();
        if (alarm != null && !reading.isBlocked()) {
            reading.setBlocked(true);
            if (isUnderstood()) {
                toClient.accept(new ConnectionMethod.Blocked(alarm));
            }
        }
    }

    /** An alarm is over; perhaps not the last one. @param isRunning whether the client still listens */
    void cleared(boolean isRunning) {
        if (reading.isBlocked() && registry.alarm() == null) {
            reading.setBlocked(false);
            if (isRunning && isUnderstood()) {
                toClient.accept(new ConnectionMethod.Unblocked());
            }
        }
    }

    private boolean isUnderstood() {
        return client.hasCapability("connection.blocked");
    }
}
