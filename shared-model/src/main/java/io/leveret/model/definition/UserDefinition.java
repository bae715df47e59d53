package io.leveret.model.definition;

import io.leveret.model.UserName;
import java.util.List;

/**
 * A user. {@code passwordHash} is base64 of salt and digest as RabbitMQ exports it; empty means that no password lets this
 * user in.
 */
public record UserDefinition(UserName name, String passwordHash, String hashingAlgorithm, List<String> tags) {
    @Override
    public String toString() {
        return "UserDefinition[" + name + ", tags=" + tags + "]";
    }
}
