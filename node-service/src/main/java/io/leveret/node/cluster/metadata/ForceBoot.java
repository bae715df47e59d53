package io.leveret.node.cluster.metadata;

import io.leveret.node.runtime.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a lone survivor go on without a majority. Commands that only others had are lost; so the cluster gets a new generation,
 * which is in every id given from now on and in the name of the group, and nodes that were left behind must be reset before
 * they join again. Works on the files of a store that is closed:
 *
 * <pre>
 * generation raised -> voters of the old group: this node alone -> folder of the old group renamed to the new one
 * </pre>
 *
 * Stopped in between, the next opening of the store does the rest.
 */
public final class ForceBoot {
    private static final Logger LOG = LoggerFactory.getLogger(ForceBoot.class);
    private static final String CONFIGURATION = "raft-meta.conf";

    private ForceBoot() {}

    /**
     * Prepares the next start of the store to go on alone.
     *
     * @throws IOException when there is no agreed metadata here, or the files cannot be written
     */
    public static void prepare(MetadataSettings settings) throws IOException {
        int generation = GenerationFile.read(settings.folder());
        if (!Files.exists(configuration(GroupFormation.groupFolder(settings, generation)))) {
            throw new IOException("this node has no metadata to go on with");
        }
        GenerationFile.write(settings.folder(), generation + 1);
        finish(settings);
    }

    /** Does what is left of a preparation that was begun. */
    static void finish(MetadataSettings settings) throws IOException {
        int generation = GenerationFile.read(settings.folder());
        Path next = GroupFormation.groupFolder(settings, generation);
        Path former = GroupFormation.groupFolder(settings, generation - 1);
        if (generation == 0 || Files.exists(next) || !Files.exists(configuration(former))) {
            return;
        }
        LOG.warn("this node goes on alone, in generation {}; nodes that were left behind must be reset", generation);
        voteAlone(settings, new AtomicFile(configuration(former)));
        Files.move(former, next, StandardCopyOption.ATOMIC_MOVE);
        AtomicFile.fsyncFolder(settings.folder());
    }

    private static Path configuration(Path groupFolder) {
        return groupFolder.resolve("current").resolve(CONFIGURATION);
    }

    private static void voteAlone(MetadataSettings settings, AtomicFile file) throws IOException {
        byte[] content = file.read().orElseThrow(() -> new IOException("no " + CONFIGURATION));
        LogEntryProto entry = LogEntryProto.parseFrom(content);
        String self = settings.node().value();
        RaftPeerProto peer = entry.getConfigurationEntry().getPeersList().stream()
                .filter(each -> each.getId().toStringUtf8().equals(self))
                .findFirst()
                .orElseThrow(() -> new IOException(self + " is not one of the voters"));
        if (entry.getConfigurationEntry().getPeersCount() == 1) {
            return;
        }
        LogEntryProto alone = LogEntryProto.newBuilder(entry)
                .setIndex(entry.getIndex() + 1)
                .setConfigurationEntry(RaftConfigurationProto.newBuilder().addPeers(peer))
                .build();
        file.write(alone.toByteArray());
    }
}
