package io.leveret.node.journal;

import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.NodeClock;
import java.io.IOException;
import java.nio.file.Path;

/** The journal in a folder of its own. */
public final class FileJournal {
    private FileJournal() {}

    /** Opens the journal of a folder, which is created if need be; {@link Journal#recover} comes next. */
    public static Journal open(Path folder, JournalSettings settings, NodeClock clock, FaultHandler faults)
            throws IOException {
        throw new IOException("not yet");
    }
}
