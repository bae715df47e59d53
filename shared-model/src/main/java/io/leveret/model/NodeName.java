package io.leveret.model;

/** The name of a broker node, such as {@code rabbit1@localhost}. */
public record NodeName(String value) implements Comparable<NodeName> {
    /** @throws IllegalArgumentException when the name is empty or over 255 bytes */
    public NodeName {
        Names.check("node name", value, false);
    }

    @Override
    public int compareTo(NodeName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
