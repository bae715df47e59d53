package io.leveret.model;

/** The name of an exchange (empty: the default exchange) within its vhost. */
public record ExchangeName(VhostName vhost, String value) implements Comparable<ExchangeName> {
    /** @throws IllegalArgumentException when the name is over 255 bytes */
    public ExchangeName {
        Names.check("exchange name", value, true);
    }

    public static ExchangeName of(String vhost, String value) {
        return new ExchangeName(new VhostName(vhost), value);
    }

    @Override
    public int compareTo(ExchangeName other) {
        int byVhost = vhost.compareTo(other.vhost);
        return byVhost != 0 ? byVhost : value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return "'" + value + "' in vhost '" + vhost + "'";
    }
}
