package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/** A user, with the hash of the password: the definitions of one cluster can be given to another. */
public record UserView(
        String name,
        @JsonProperty("password_hash") String passwordHash,
        @JsonProperty("hashing_algorithm") String hashingAlgorithm,
        List<String> tags,
        Map<String, Integer> limits)
        implements Named {
    @Override
    public String toString() {
        return "UserView[" + name + ", tags=" + tags + "]";
    }
}
