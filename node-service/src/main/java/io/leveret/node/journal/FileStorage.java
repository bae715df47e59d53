package io.leveret.node.journal;

import java.io.IOException;
import java.util.List;

/**
 * The files of a journal, in one flat folder: on a disk, or simulated in tests. Nothing is durable before it is forced:
 * creations, renames and deletions by {@link #syncFolder}, bytes by {@link LogFile#force}.
 */
interface FileStorage extends AutoCloseable {
    /** The file of this name, created empty if there is none. */
    LogFile open(String name) throws IOException;

    List<String> list() throws IOException;

    /** @throws FsyncFailedException whatever the cause, also for want of space: which names are on the disk is unknown then */
    void syncFolder() throws FsyncFailedException;

    @Override
    void close();
}
