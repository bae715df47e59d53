package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestTest {
    private static final int LARGE = 16 << 20;

    @TempDir
    Path folder;

    /** The checkpoint of a long queue takes a good part of a small heap. */
    @Test
    void aLargeCheckpointIsNotCopiedForWhatIsAddedAfterIt() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (DiskStorage storage = new DiskStorage(folder, 4)) {
            Manifest manifest = new Manifest(storage);
            manifest.addCheckpoint(1, 100, 1, new byte[LARGE]);
            long before = threads.getCurrentThreadAllocatedBytes();
            manifest.addSegment(new Manifest.Extent(1, 64, 64));
            manifest.addDrop(2, 50);
            manifest.addSegmentGone(3);
            manifest.commit(0);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LARGE / 2);
        }
    }
}
