package io.leveret.node.broker.auth;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often somebody tried to log in here, and how often in vain: by protocol, and by who and from where. Any thread; the lock
 * is held for a look into a map. Of sources only those seen last are remembered.
 */
public final class LoginAttempts {
    /** The protocol words of listings. */
    public static final String AMQP = "amqp091";

    public static final String HTTP = "http";
    /** Sources remembered; the one that was not seen for the longest time is forgotten for a new one. */
    static final int SOURCES_MAX = 1_000;
    /** Names are what the other side says, of any length: more is not remembered. */
    private static final int NAME_LENGTH_MAX = 255;

    private final Map<String, Counts> byProtocol = new LinkedHashMap<>();
    private final Map<Source, Counts> bySource = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Source, Counts> eldest) {
            return size() > SOURCES_MAX;
        }
    };

    /** Who tried, from where, by which protocol. */
    private record Source(String address, String user, String protocol) {}

    private static final class Counts {
        private long succeeded;
        private long failed;

        void add(boolean isSuccess) {
            if (isSuccess) {
                succeeded++;
            } else {
                failed++;
            }
        }
    }

    /**
     * One row of a listing.
     *
     * @param address null in the rows by protocol
     * @param user null in the rows by protocol
     */
    public record Row(@Nullable String address, @Nullable String user, String protocol, long succeeded, long failed) {}

    /** @param user empty when the attempt named none */
    public synchronized void count(String protocol, InetAddress from, String user, boolean isSuccess) {
        String name = user.length() > NAME_LENGTH_MAX ? user.substring(0, NAME_LENGTH_MAX) : user;
        byProtocol.computeIfAbsent(protocol, key -> new Counts()).add(isSuccess);
        bySource.computeIfAbsent(new Source(from.getHostAddress(), name, protocol), key -> new Counts())
                .add(isSuccess);
    }

    /** A row for each protocol that was used. */
    public synchronized List<Row> protocols() {
        return byProtocol.entrySet().stream()
                .map(each -> new Row(null, null, each.getKey(), each.getValue().succeeded, each.getValue().failed))
                .toList();
    }

    /** A row for each source that is remembered. */
    public synchronized List<Row> sources() {
        return bySource.entrySet().stream()
                .map(each -> new Row(
                        each.getKey().address(),
                        each.getKey().user(),
                        each.getKey().protocol(),
                        each.getValue().succeeded,
                        each.getValue().failed))
                .toList();
    }

    /** Begins again from nothing. */
    public synchronized void reset() {
        byProtocol.clear();
        bySource.clear();
    }
}
