package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code PUT /users/…}: a password, a hash, or neither (then no password lets the user in). */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UserDeclaration(
        @Nullable String password,
        @JsonProperty("password_hash") @Nullable String passwordHash,
        @JsonProperty("hashing_algorithm") @Nullable String hashingAlgorithm,
        List<String> tags) {
    @Override
    public String toString() {
        return "UserDeclaration[tags=" + tags + "]";
    }
}
