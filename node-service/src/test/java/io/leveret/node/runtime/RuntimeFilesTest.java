package io.leveret.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small files and the watch of the disk. */
class RuntimeFilesTest {
    @TempDir
    Path folder;

    @Test
    void anAtomicFileHoldsWhatWasWrittenLastAndLeavesNothingElse() throws Exception {
        AtomicFile file = new AtomicFile(folder.resolve("boot"));
        assertThat(file.read()).isEmpty();
        file.write(new byte[] {1, 2, 3});
        file.write(new byte[] {4});
        assertThat(new AtomicFile(folder.resolve("boot")).read()).contains(new byte[] {4});
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("boot"));
        }
    }

    @Test
    void aTemporaryFileLeftByACrashIsNoContent() throws Exception {
        Files.write(folder.resolve("boot.tmp"), new byte[] {9, 9, 9, 9});
        AtomicFile file = new AtomicFile(folder.resolve("boot"));
        assertThat(file.read()).isEmpty();
        file.write(new byte[] {1});
        assertThat(file.read()).contains(new byte[] {1});
    }

    @Test
    void aFolderIsTakenOnceUntilItIsGivenBack() throws Exception {
        Path data = folder.resolve("data/node");
        FolderLock lock = FolderLock.take(data);
        assertThatThrownBy(() -> FolderLock.take(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
        lock.close();
        FolderLock.take(data).close();
    }

    @Test
    void theDiskAlarmIsSetBelowTheLimitAndClearedWithATenthMore() {
        long[] free = {1000};
        List<String> heard = new ArrayList<>();
        ResourceWatch watch = new ResourceWatch(() -> free[0], 500);
        watch.addListener((isLow, bytes) -> heard.add(isLow + " " + bytes));
        for (long now : new long[] {1000, 500, 499, 10, 520, 549, 550, 1000}) {
            free[0] = now;
            watch.check();
        }
        assertThat(heard).containsExactly("true 499", "false 550");
        watch.setLowBytes(2000);
        watch.check();
        assertThat(watch.isLow()).isTrue();
    }

    @Test
    void aDiskThatCannotBeAskedKeepsItsState() {
        boolean[] isBroken = {false};
        ResourceWatch watch = new ResourceWatch(
                () -> {
                    if (isBroken[0]) {
                        throw new IOException("stale handle");
                    }
                    return 1;
                },
                500);
        watch.check();
        isBroken[0] = true;
        watch.check();
        assertThat(watch.isLow()).isTrue();
        assertThat(watch.freeBytes()).isOne();
    }
}
