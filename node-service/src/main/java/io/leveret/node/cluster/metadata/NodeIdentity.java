package io.leveret.node.cluster.metadata;

import io.leveret.node.broker.definitions.ByteReader;
import io.leveret.node.broker.definitions.ByteWriter;
import io.leveret.node.broker.definitions.MalformedBytesException;
import io.leveret.node.runtime.AtomicFile;
import io.leveret.node.runtime.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Who this process is: the name of its data directory, written once, and its boot, raised and fsynced before this object
 * exists. One per process; the boot is read by any thread.
 */
public final class NodeIdentity {
    private static final String FILE = "identity";
    private static final int VERSION = 1;

    private final AtomicFile file;
    private final UUID storeId;
    private volatile long boot;

    private NodeIdentity(AtomicFile file, UUID storeId, long boot) {
        this.file = file;
        this.storeId = storeId;
        this.boot = boot;
    }

    /**
     * Raises the boot of a data directory, or names it when it is new.
     *
     * @throws IOException when the file cannot be written, or is not what was written: then the directory is damaged
     */
    public static NodeIdentity raise(Path folder, Randomness randomness) throws IOException {
        Files.createDirectories(folder);
        AtomicFile file = new AtomicFile(folder.resolve(FILE));
        Optional<byte[]> bytes = file.read();
        NodeIdentity identity = bytes.isPresent()
                ? read(file, bytes.get())
                : new NodeIdentity(file, new UUID(randomness.nextLong(), randomness.nextLong()), 0);
        identity.raiseAbove(identity.boot);
        return identity;
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

    /** Takes a boot above one that the cluster remembers of an earlier data directory. Before anything was told of this one. */
    void raiseAbove(long recorded) throws IOException {
        ByteWriter out = new ByteWriter();
        out.u8(VERSION);
        ImageBytes.writeUuid(out, storeId);
        out.varint(recorded + 1);
        file.write(out.sealed());
        boot = recorded + 1;
    }
}
