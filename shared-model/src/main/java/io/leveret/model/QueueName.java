package io.leveret.model;

/** The name of a queue within its vhost. */
public record QueueName(VhostName vhost, String value) implements Comparable<QueueName> {
    /** @throws IllegalArgumentException when the name is over 255 bytes */
    public QueueName {
        Names.check("queue name", value, true);
    }

    public static QueueName of(String vhost, String value) {
        return new QueueName(new VhostName(vhost), value);
    }

    @Override
    public int compareTo(QueueName other) {
        int byVhost = vhost.compareTo(other.vhost);
        return byVhost != 0 ? byVhost : value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return "'" + value + "' in vhost '" + vhost + "'";
    }
}
