package io.leveret.model;

/** The name of a vhost. */
public record VhostName(String value) implements Comparable<VhostName> {
    /** @throws IllegalArgumentException when the name is empty or over 255 bytes */
    public VhostName {
        Names.check("vhost name", value, false);
    }

    @Override
    public int compareTo(VhostName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
