package io.leveret.admin.policy;

import io.leveret.admin.web.Pill;
import io.leveret.admin.web.Words;
import io.leveret.model.control.PolicyPreview;
import java.util.ArrayList;
import java.util.List;

/**
 * The panel "If you save this", in words.
 *
 * @param note said in its place when there is nothing to foresee; empty when there is
 */
public record Preview(List<Line> lines, List<Pill> pills, List<String> queues, String note, String confirmation) {

    /** A figure and what it counts. */
    public record Line(String figure, String text) {}

    private static final int QUEUES_SHOWN = 20;

    static Preview note(String note) {
        return new Preview(List.of(), List.of(), List.of(), note, "");
    }

    static Preview of(PolicyPreview preview, String name) {
        List<Line> lines = new ArrayList<>();
        String applied = preview.applied() == preview.matched()
                ? "it would apply to all"
                : "it would apply to " + Words.number(preview.applied());
        lines.add(new Line(
                Words.number(preview.matched()),
                (preview.matched() == 1 ? "queue matches, " : "queues match, ") + applied));
        lines.add(new Line(
                Words.number(preview.leadersMoved()), preview.leadersMoved() == 1 ? "leader moves" : "leaders move"));
        lines.add(new Line(
                Words.bytes(preview.bytesToCopy()),
                "to copy, for " + Words.count(preview.mirrorsAdded(), "new mirror")));
        lines.add(new Line(
                Words.number(preview.mirrorsDropped()),
                (preview.mirrorsDropped() == 1 ? "mirror is" : "mirrors are")
                        + " dropped, after the new ones are in sync"));
        return new Preview(lines, pills(preview, name), queues(preview), "", confirmation(preview));
    }

    /** Whether saving moves, copies or drops something, so that it is asked for once more. */
    boolean isFelt() {
        return !confirmation.isEmpty();
    }

    private static List<Pill> pills(PolicyPreview preview, String name) {
        List<Pill> pills = new ArrayList<>();
        preview.ties()
                .forEach(tie -> pills.add(Pill.of(
                        "warn",
                        "Ties with " + tie.with() + ": both have priority " + tie.priority() + " on "
                                + Words.count(tie.queues(), "queue") + ". " + tie.applies()
                                + " would apply: its name sorts first."
                                + (tie.applies().equals(name) ? "" : " Give it another priority."))));
        pills.add(
                preview.lessSafe() == 0
                        ? Pill.of("ok", "No queue is less safe on the way")
                        : Pill.of(
                                "warn", Words.count(preview.lessSafe(), "queue") + " would have fewer copies in sync"));
        return pills;
    }

    private static List<String> queues(PolicyPreview preview) {
        List<String> queues = new ArrayList<>();
        preview.queues().stream()
                .limit(QUEUES_SHOWN)
                .forEach(change ->
                        queues.add(change.name() + ": " + nodes(change.before()) + " → " + nodes(change.after())));
        if (preview.queues().size() > QUEUES_SHOWN) {
            queues.add("… and " + (preview.queues().size() - QUEUES_SHOWN) + " more");
        }
        return queues;
    }

    private static String nodes(List<String> nodes) {
        return nodes.isEmpty()
                ? "nowhere"
                : String.join(" + ", nodes.stream().map(Words::shortNode).toList());
    }

    private static String confirmation(PolicyPreview preview) {
        List<String> parts = new ArrayList<>();
        if (preview.leadersMoved() > 0) {
            parts.add("move " + Words.count(preview.leadersMoved(), "leader"));
        }
        if (preview.bytesToCopy() > 0) {
            parts.add("copy " + Words.bytes(preview.bytesToCopy()));
        }
        if (preview.mirrorsDropped() > 0) {
            parts.add("drop " + Words.count(preview.mirrorsDropped(), "mirror"));
        }
        return parts.isEmpty() ? "" : "Save, " + String.join(", ", parts);
    }
}
