package io.leveret.node.journal;

import java.io.IOException;
import java.util.Locale;

/** Tells whether an operation failed for want of space, which passes, from all that does not. */
final class DiskFull {
    private DiskFull() {}

    /** The JDK has no type for it, only the text of the operating system: bin/run-node sees to it that this is English. */
    static boolean is(IOException e) {
        String text = e.getMessage();
        if (text == null) {
            return false;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.contains("no space left") || lower.contains("disk quota exceeded");
    }
}
