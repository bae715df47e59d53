package io.leveret.node.cluster.peer;

/** Why two nodes do not talk to each other. */
public enum PeerRefusal {
    WRONG_SECRET("its cluster secret is another one"),
    WRONG_VERSION("it speaks another version of the link format"),
    WRONG_NAME("it is not the node that was called"),
    SAME_NAME("it has the same node name");

    private final String text;

    PeerRefusal(String text) {
        this.text = text;
    }

    /** For sentences that begin with the other node. */
    public String text() {
        return text;
    }
}
