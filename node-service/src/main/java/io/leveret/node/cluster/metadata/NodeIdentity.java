package io.leveret.node.cluster.metadata;

import io.leveret.node.broker.definitions.ByteReader;
import io.leveret.node.broker.definitions.ByteWriter;
import io.leveret.node.broker.definitions.MalformedBytesException;
import io.leveret.node.runtime.AtomicFile;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Who this process is: the name of its data directory, written once, and its boot, raised and fsynced before this object
 * exists. The boots of a new directory begin with the seconds since 2026, so that a node whose disk was replaced counts on
 * above the boots that the cluster remembers of it; should its clock be wrong, the store says so and the next start is right.
 * One per process; read by any thread.
 */
public final class NodeIdentity {
    private static final String FILE = "identity";
    private static final int VERSION = 1;
    private static final long SECONDS_TO_2026 = 1_767_225_600;
    private static final long MILLIS = 1000;

    private final AtomicFile file;
    private final UUID storeId;
    private final long boot;

    private NodeIdentity(AtomicFile file, UUID storeId, long boot) {
        this.file = file;
        this.storeId = storeId;
        this.boot = boot;
    }

    /**
     * Raises the boot of a data directory, or names the directory when it is new.
     *
     * @throws IOException when the file cannot be written, or is not what was written: then the directory is damaged
     */
    public static NodeIdentity raise(Path folder, Randomness randomness, NodeClock clock) throws IOException {
        Files.createDirectories(folder);
        AtomicFile file = new AtomicFile(folder.resolve(FILE));
        Optional<byte[]> bytes = file.read();
        if (bytes.isPresent()) {
            NodeIdentity earlier = read(file, bytes.get());
            return earlier.raisedAbove(earlier.boot);
        }
        UUID storeId = new UUID(randomness.nextLong(), randomness.nextLong());
        long seconds = clock.currentTimeMillis() / MILLIS - SECONDS_TO_2026;
        return new NodeIdentity(file, storeId, 0).raisedAbove(Math.max(0, seconds));
    }

    private static NodeIdentity read(AtomicFile file, byte[] bytes) throws IOException {
        try {
            ByteReader in = ByteReader.ofSealed(bytes);
            int version = in.u8();
            if (version != VERSION) {
                throw new MalformedBytesException("version " + version);
            }
            NodeIdentity identity = new NodeIdentity(file, ImageBytes.uuid(in), in.varint());
            in.end();
            return identity;
        } catch (MalformedBytesException e) {
            throw new IOException("the identity file of this node is damaged", e);
        }
    }

    public UUID storeId() {
        return storeId;
    }

    public long boot() {
        return boot;
    }

    /** Who the next start, or this one when nothing was told of it yet, shall be: durable when this returns. */
    NodeIdentity raisedAbove(long recorded) throws IOException {
        ByteWriter out = new ByteWriter();
        out.u8(VERSION);
        ImageBytes.writeUuid(out, storeId);
        out.varint(recorded + 1);
        file.write(out.sealed());
        return new NodeIdentity(file, storeId, recorded + 1);
    }
}
