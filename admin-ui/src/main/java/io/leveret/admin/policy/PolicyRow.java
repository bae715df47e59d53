package io.leveret.admin.policy;

import io.leveret.admin.web.Json;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Words;
import io.leveret.model.control.PolicyTie;
import io.leveret.model.control.PolicyUsage;
import io.leveret.model.view.PolicyView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A policy in the list, with what it does now. */
public record PolicyRow(PolicyView policy, @Nullable PolicyUsage usage, String path) {

    /** A key and its value. */
    public record Entry(String key, String value) {}

    public String name() {
        return policy.name();
    }

    public List<Entry> definition() {
        return new TreeMap<>(policy.definition())
                .entrySet().stream().map(PolicyRow::entry).toList();
    }

    public String applied() {
        return usage == null ? Words.UNKNOWN : "applies to " + Words.number(usage.applied());
    }

    public String matched() {
        return usage == null ? "" : "matches " + Words.number(usage.matched());
    }

    public boolean matchesNothing() {
        return usage != null && usage.matched() == 0 && policy.applyTo().equals("queues");
    }

    /** It matches, and another always wins. */
    public boolean neverApplies() {
        return usage != null && usage.matched() > 0 && usage.applied() == 0;
    }

    public boolean isTied() {
        return usage != null && !usage.ties().isEmpty();
    }

    /** One sentence for each tie, with the winner and the reason. */
    public List<String> ties() {
        return usage == null
                ? List.of()
                : usage.ties().stream().map(this::sentence).toList();
    }

    public String editLink() {
        return Paths.editPolicy(path, policy.vhost(), policy.name());
    }

    public String historyLink() {
        return Paths.history(path.equals("policies") ? "policy" : "operator policy", policy.vhost(), policy.name());
    }

    private String sentence(PolicyTie tie) {
        String start = "with " + tie.with() + " on " + Words.count(tie.queues(), "queue") + "; " + tie.applies()
                + " applies, its name sorts first";
        return tie.applies().equals(policy.name()) ? start : start + ". Give one of them another priority.";
    }

    private static Entry entry(Map.Entry<String, Object> entry) {
        Object value = entry.getValue();
        return new Entry(entry.getKey(), value instanceof String text ? text : Json.text(value));
    }
}
