package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One file. Reads and writes give their offset, so several threads may use it at once. */
interface LogFile {
    String name();

    /** Fills the buffer from the offset on, as far as the file goes; returns how many bytes. */
    int read(ByteBuffer target, long offset) throws IOException;

    /** Writes all that remains in the buffer. */
    void write(ByteBuffer source, long offset) throws IOException;

    /** fdatasync. After a failure nothing is known about what is on the disk. */
    void force() throws IOException;

    long size() throws IOException;

    void truncate(long size) throws IOException;

    void renameTo(String name) throws IOException;

    void delete() throws IOException;
}
