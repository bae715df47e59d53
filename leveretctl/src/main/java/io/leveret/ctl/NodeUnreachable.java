package io.leveret.ctl;

/** The node does not answer, or does not accept the secret. */
final class NodeUnreachable extends RuntimeException {
    NodeUnreachable(ControlClient client, String cause) {
        super(text(client, cause), null, false, false);
    }

    private static String text(ControlClient client, String cause) {
        String node = client.node();
        return String.join(
                "\n",
                "Error: unable to perform an operation on node '" + node
                        + "'. Please see diagnostics information and suggestions below.",
                "",
                "Most common reasons for this are:",
                "",
                " * Target node is unreachable (e.g. due to hostname resolution, TCP connection or firewall issues)",
                " * CLI tool fails to authenticate with the server (e.g. due to CLI tool's secret not matching that of"
                        + " the server)",
                " * Target node is not running",
                "",
                "DIAGNOSTICS",
                "===========",
                "",
                "attempted to contact: [" + node + "]",
                "",
                node + ":",
                "  * control API at " + client.address().host() + ":"
                        + client.address().port() + ": " + cause,
                "  * suggestion: start the node",
                "");
    }
}
