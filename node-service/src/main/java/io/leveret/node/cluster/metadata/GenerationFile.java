package io.leveret.node.cluster.metadata;

import io.leveret.node.runtime.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The generation of the cluster that a data directory belongs to, as text: raised when a survivor is made to lead by force. */
final class GenerationFile {
    private static final String FILE = "generation";

    private GenerationFile() {}

    static int read(Path folder) throws IOException {
        Optional<byte[]> content = new AtomicFile(folder.resolve(FILE)).read();
        if (content.isEmpty()) {
            return 0;
        }
        try {
            return Integer.parseInt(new String(content.get(), StandardCharsets.US_ASCII).strip());
        } catch (NumberFormatException e) {
            throw new IOException("the generation file in " + folder + " is damaged", e);
        }
    }

    static void write(Path folder, int generation) throws IOException {
        new AtomicFile(folder.resolve(FILE)).write((generation + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
