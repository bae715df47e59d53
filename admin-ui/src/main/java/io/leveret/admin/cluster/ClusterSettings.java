package io.leveret.admin.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the nodes are and the secret they share.
 *
 * @param nodes control addresses, {@code host:port}
 * @param secret the secret itself; empty when it is in a file
 * @param secretFile the file with the secret; empty when it is given itself
 * @param connectTimeout for reaching a node: one that does not answer so long is passed over
 * @param queryTimeout for the answer to a question
 * @param commandTimeout for the answer to a change; longer than the time in which a cluster agrees or gives up
 */
@ConfigurationProperties("leveret")
public record ClusterSettings(
        @DefaultValue("127.0.0.1:15681") List<String> nodes,
        @DefaultValue("") String secret,
        @DefaultValue("") String secretFile,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("10s") Duration queryTimeout,
        @DefaultValue("30s") Duration commandTimeout) {

    /**
     * From the file, or else what is set, as the nodes do.
     *
     * @throws IllegalStateException when neither the secret nor a readable file is given
     */
    public String sharedSecret() {
        if (secretFile.isBlank()) {
            if (!secret.isBlank()) {
                return secret.strip();
            }
            throw new IllegalStateException(
                    "set LEVERET_SECRET_FILE (or LEVERET_SECRET): the nodes ask for their secret");
        }
        try {
            return Files.readString(Path.of(secretFile)).strip();
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read the secret in " + secretFile, unreadable);
        }
    }
}
