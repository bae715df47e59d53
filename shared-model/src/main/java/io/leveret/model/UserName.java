package io.leveret.model;

/** The name of a user. */
public record UserName(String value) implements Comparable<UserName> {
    /** @throws IllegalArgumentException when the name is empty or over 255 bytes */
    public UserName {
        Names.check("user name", value, false);
    }

    @Override
    public int compareTo(UserName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
