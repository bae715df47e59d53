package io.leveret.admin.overview;

import io.leveret.admin.safety.NodeLoss;
import io.leveret.admin.web.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A row of "What is safe": the loss of one node, in numbers, words and a bar. */
public record LossRow(NodeLoss loss) {
    private static final double WHOLE = 100.0;

    public String node() {
        return loss.node();
    }

    public String shortNode() {
        return Words.shortNode(loss.node());
    }

    public String rowClass() {
        if (loss.isMajorityLost() || loss.unavailable() > 0) {
            return "lost";
        }
        return loss.loseMessages() > 0 ? "risk" : "";
    }

    /** "If rabbit2 is lost: 0 queues unavailable, 2 would lose unsynced messages (182,688 in all)." */
    public String sentence() {
        String start = "If " + shortNode() + " is lost: ";
        if (loss.isMajorityLost()) {
            return start + "the cluster would pause, it has no majority without " + shortNode() + ".";
        }
        if (loss.isHarmless()) {
            return start + "0 queues unavailable, nothing lost.";
        }
        List<String> parts = new ArrayList<>();
        parts.add(Words.count(loss.unavailable(), "queue") + " unavailable"
                + (loss.gone() > 0
                        ? ", " + Words.number(loss.gone()) + " of them (transient, exclusive) for good"
                        : ""));
        parts.add(
                loss.loseMessages() > 0
                        ? Words.number(loss.loseMessages()) + " would lose unsynced messages"
                                + (loss.messagesLost() > 0 ? " (" + Words.number(loss.messagesLost()) + " in all)" : "")
                        : "no mirrored queue loses a message");
        return start + String.join("; ", parts) + ".";
    }

    public String barLabel() {
        return loss.failOver() + " fail over, " + loss.loseMessages() + " lose unsynced messages, " + loss.unavailable()
                + " unavailable";
    }

    public String okWidth() {
        return width(loss.failOver());
    }

    public String warnWidth() {
        return width(loss.loseMessages());
    }

    public String badWidth() {
        return width(loss.unavailable());
    }

    public String warnStart() {
        return width(loss.failOver());
    }

    public String badStart() {
        return width(loss.failOver() + loss.loseMessages());
    }

    private String width(int part) {
        return String.format(Locale.ROOT, "%.1f", loss.leads() == 0 ? 0.0 : part * WHOLE / loss.leads());
    }
}
