package io.leveret.node.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A small file that is replaced as a whole: temporary file, fsync, rename, fsync of the folder. After a crash it holds the
 * old bytes or the new ones. Not for two writers at once.
 */
public final class AtomicFile {
    private final Path path;

    public AtomicFile(Path path) {
        this.path = path.toAbsolutePath();
    }

    /** The bytes last written, or empty when there never were any. */
    public Optional<byte[]> read() throws IOException {
        try {
            return Optional.of(Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Replaces the content; durable when this returns. */
    public void write(byte[] content) throws IOException {
        Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = path.getParent();
        if (folder != null) {
            fsyncFolder(folder);
        }
    }

    /** Makes creations, renames and deletions in a folder durable. */
    public static void fsyncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
