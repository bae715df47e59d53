package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskStorageTest {
    @TempDir
    Path folder;

    /** Not as other failures of a full disk, which are tried again: a second fsync may claim success. */
    @Test
    void aFolderThatCannotBeSyncedIsAFailedFsync() throws IOException {
        Path gone = folder.resolve("journal");
        try (DiskStorage storage = new DiskStorage(gone, 4)) {
            Files.delete(gone);
            assertThatThrownBy(storage::syncFolder).isInstanceOf(FsyncFailedException.class);
        }
    }
}
