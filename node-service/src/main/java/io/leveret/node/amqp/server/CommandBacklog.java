package io.leveret.node.amqp.server;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one channel that wait for the end of one before them.
 *
 * <p>Bound: {@link #COMMANDS_MAX} or {@link #BYTES_MAX}, then the connection stops reading; what one read brought may come on
 * top.
 */
final class CommandBacklog {
    static final int COMMANDS_MAX = 1024;
    static final int BYTES_MAX = 4 << 20;

    private final ConnectionContext.Control connection;
    private final ArrayDeque<Object> commands = new ArrayDeque<>();
    private int bytes;
    private boolean isLong;

    CommandBacklog(ConnectionContext.Control connection) {
        this.connection = connection;
    }

    boolean isEmpty() {
        return commands.isEmpty();
    }

    void add(Object command, int commandBytes) {
        commands.add(command);
        bytes += commandBytes;
        if (!isLong && (commands.size() >= COMMANDS_MAX || bytes >= BYTES_MAX)) {
            isLong = true;
            connection.backlog(true);
        }
    }

    /** The next one; null, and the connection may read on, when there is none. */
    @Nullable
    Object poll() {
        Object command = commands.poll();
        if (command == null) {
            clear();
        }
        return command;
    }

    void clear() {
        commands.clear();
        bytes = 0;
        if (isLong) {
            isLong = false;
            connection.backlog(false);
        }
    }
}
