package io.leveret.admin.history;

import io.leveret.admin.web.Json;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Pill;
import io.leveret.admin.web.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A change as a row: who, when, what, and what differs. */
public record ChangeRow(Change change) {
    /** A key whose value differs; a missing value is empty. */
    public record Difference(String key, String before, String after) {}

    private static final Set<String> POLICIES = Set.of("policy", "operator policy");

    public String when() {
        return Words.time(change.madeAt());
    }

    public String who() {
        return change.userName() + (change.via().equals("api") ? ", by API" : "");
    }

    public String what() {
        return change.verb() + " " + change.kind() + " " + change.name()
                + (change.vhost().isEmpty() || change.kind().equals("vhost") ? "" : " in " + change.vhost());
    }

    public Pill outcome() {
        return switch (change.outcome()) {
            case DONE -> Pill.of("ok", "done");
            case REFUSED -> new Pill("warn", "refused", reason());
            case UNAVAILABLE -> new Pill("bad", "not sent", reason());
            case UNKNOWN -> new Pill("bad", "outcome unknown", reason());
            case STARTED -> new Pill("bad", "outcome unknown", "this admin ended in between");
        };
    }

    public String reason() {
        return Objects.requireNonNullElse(change.reason(), "");
    }

    public String objectLink() {
        return Paths.history(change.kind(), change.vhost(), change.name());
    }

    public boolean isDone() {
        return change.outcome() == Change.Outcome.DONE;
    }

    /** Policies can be set back; other objects hold messages or passwords that a history does not have. */
    public boolean mayRollBack() {
        return isDone()
                && POLICIES.contains(change.kind())
                && change.id() != null
                && !differences().isEmpty();
    }

    public String rollBackText() {
        if (change.before() == null) {
            return "Undo: delete it again";
        }
        return change.after() == null ? "Undo: make it again" : "Roll back to what was before";
    }

    /** Every key that is not the same before and after; the definition of a policy key by key. */
    public List<Difference> differences() {
        Map<String, Object> before = flat(change.before());
        Map<String, Object> after = flat(change.after());
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        List<Difference> differences = new ArrayList<>();
        for (String key : keys) {
            String old = text(before.get(key));
            String now = text(after.get(key));
            if (!old.equals(now)) {
                differences.add(new Difference(key, old, now));
            }
        }
        return differences;
    }

    private static Map<String, Object> flat(@Nullable String json) {
        Map<String, Object> flat = new TreeMap<>();
        Json.object(json).forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner && key.equals("definition")) {
                inner.forEach((innerKey, innerValue) -> flat.put(String.valueOf(innerKey), innerValue));
            } else if (!key.equals("vhost") && !key.equals("name")) {
                flat.put(key, value);
            }
        });
        return flat;
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        return value instanceof String string ? string : Json.text(value);
    }
}
