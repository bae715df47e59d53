package io.leveret.node.journal;

import java.io.IOException;

/** An fsync failed: what is on the disk is unknown, and another fsync may claim success. The node stops. */
final class FsyncFailedException extends Exception {
    private static final long serialVersionUID = 1;

    FsyncFailedException(String file, IOException cause) {
        super("fsync of " + file + " failed", cause);
    }
}
