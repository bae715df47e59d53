package io.leveret.node.runtime;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs and halts the process at once, without shutdown hooks: a node that can no longer keep its word must not go on
 * answering while it stops in good order.
 */
public final class FatalFaultHandler implements FaultHandler {
    /** The exit status of a node that halted itself: EX_SOFTWARE of sysexits. */
    public static final int EXIT_STATUS = 70;

    private static final Logger LOG = LoggerFactory.getLogger(FatalFaultHandler.class);

    @Override
    public void fatal(String what, Throwable cause) {
        try {
            LOG.error("this node stops now: {}", what, cause);
        } finally {
            Runtime.getRuntime().halt(EXIT_STATUS);
        }
    }
}
