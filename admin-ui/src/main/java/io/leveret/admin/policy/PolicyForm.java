package io.leveret.admin.policy;

import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.model.definition.PolicyValidation;
import io.leveret.model.view.PolicyView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form "Add / update a policy": what was typed, and what is wrong with it. Immutable; each button gives the next form.
 *
 * @param faults what is wrong, with the field that each is about
 */
public record PolicyForm(
        String vhost,
        String name,
        String pattern,
        String applyTo,
        String priority,
        List<DefinitionRow> rows,
        List<Fault> faults) {

    /** A sentence about a field; {@code field} is the id of its element. */
    public record Fault(String field, String sentence) {}

    static final String NAME_FIELD = "e-name";
    static final String PATTERN_FIELD = "e-pat";
    static final String PRIORITY_FIELD = "e-prio";
    static final String FIRST_VALUE_FIELD = "e-v1";

    private static final int ROWS_MAX = 100;

    public PolicyForm {
        rows = List.copyOf(rows);
        faults = List.copyOf(faults);
    }

    static PolicyForm empty(String vhost) {
        return new PolicyForm(vhost, "", "", "queues", "0", List.of(blank()), List.of());
    }

    static PolicyForm of(PolicyView policy) {
        List<DefinitionRow> rows = new ArrayList<>();
        policy.definition().forEach((key, value) -> rows.add(DefinitionRow.of(key, value)));
        rows.add(blank());
        return new PolicyForm(
                policy.vhost(),
                policy.name(),
                policy.pattern(),
                policy.applyTo(),
                Integer.toString(policy.priority()),
                rows,
                List.of());
    }

    /** Reads the fields as they were sent: {@code key1}, {@code value1}, {@code type1}, … */
    static PolicyForm of(Map<String, String> fields) {
        List<DefinitionRow> rows = new ArrayList<>();
        for (int i = 1; i <= ROWS_MAX; i++) {
            String key = fields.get("key" + i);
            if (key == null) {
                break;
            }
            DefinitionRow row = DefinitionRow.of(
                    key.strip(), fields.getOrDefault("value" + i, ""), DefinitionRow.Type.of(fields.get("type" + i)));
            if (!row.isEmpty()) {
                rows.add(row);
            }
        }
        rows.add(blank());
        return new PolicyForm(
                fields.getOrDefault("in", "/"),
                fields.getOrDefault("name", ""),
                fields.getOrDefault("pattern", ""),
                fields.getOrDefault("apply-to", "queues"),
                fields.getOrDefault("priority", "0").strip(),
                rows,
                List.of());
    }

    /**
     * Adds keys, as {@code "key=value; key=value"}. A set that names {@code ha-mode} takes the place of all mirroring keys but
     * those of promotion, so that two clicks never leave a mixture.
     */
    PolicyForm add(String pairs) {
        Map<String, String> added = new LinkedHashMap<>();
        for (String pair : pairs.split(";", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                added.put(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
        }
        boolean isSet = added.size() > 1 && added.containsKey(PolicyKeys.HA_MODE);
        List<DefinitionRow> result = new ArrayList<>();
        for (DefinitionRow row : rows) {
            boolean isReplaced = added.containsKey(row.key())
                    || (isSet
                            && (row.key().equals(PolicyKeys.HA_PARAMS)
                                    || row.key().equals(PolicyKeys.HA_SYNC_MODE)));
            if (!row.isEmpty() && !isReplaced) {
                result.add(row);
            }
        }
        added.forEach((key, value) -> result.add(DefinitionRow.of(key, value, PolicyHints.typeOf(key, added))));
        result.add(blank());
        return withRows(result);
    }

    /** Takes a row away, counted from 1. */
    PolicyForm remove(int number) {
        List<DefinitionRow> left = new ArrayList<>(rows);
        if (number >= 1 && number <= left.size()) {
            left.remove(number - 1);
        }
        if (left.isEmpty() || !left.get(left.size() - 1).isEmpty()) {
            left.add(blank());
        }
        return withRows(left);
    }

    /** The form with everything that is wrong with it: the same checks as the API and the command line. */
    PolicyForm checked(boolean isOperator) {
        List<Fault> found = new ArrayList<>();
        if (name.isBlank()) {
            found.add(new Fault(NAME_FIELD, "Name: a policy needs one."));
        }
        PolicyValidation.checkPattern(pattern).ifPresent(fault -> found.add(new Fault(PATTERN_FIELD, fault)));
        if (!priority.matches("-?[0-9]{1,9}")) {
            found.add(new Fault(PRIORITY_FIELD, "Priority: a whole number."));
        }
        List<DefinitionRow> checkedRows = new ArrayList<>();
        Map<String, Object> definition = new LinkedHashMap<>();
        for (DefinitionRow row : rows) {
            checkedRows.add(row.isEmpty() ? row : checkedRow(row, definition, found, checkedRows.size() + 1));
        }
        if (found.stream().noneMatch(fault -> fault.field().startsWith("e-v"))) {
            Optional<String> fault = isOperator
                    ? PolicyValidation.checkOperatorDefinition(definition)
                    : PolicyValidation.checkDefinition(definition);
            fault.ifPresent(sentence -> addDefinitionFault(sentence, checkedRows, found));
        }
        return new PolicyForm(vhost, name, pattern, applyTo, priority, checkedRows, found);
    }

    /** The form with a refusal that only the cluster could give. */
    PolicyForm refused(BrokerRefusedException refused) {
        List<Fault> all = new ArrayList<>(faults);
        all.add(new Fault(
                FIRST_VALUE_FIELD,
                refused.error().reason().replace("Validation failed\n\n", "").strip()));
        return new PolicyForm(vhost, name, pattern, applyTo, priority, rows, all);
    }

    public boolean isFaulty() {
        return !faults.isEmpty();
    }

    /** The sentence about a field, or null. */
    public @Nullable String fault(String field) {
        return faults.stream()
                .filter(fault -> fault.field().equals(field))
                .map(Fault::sentence)
                .findFirst()
                .orElse(null);
    }

    public boolean isUntouched() {
        return name.isEmpty() && pattern.isEmpty() && rows.stream().allMatch(DefinitionRow::isEmpty);
    }

    /** The body that the control API takes. Only of a form without faults. */
    Map<String, Object> body() {
        Map<String, Object> definition = new LinkedHashMap<>();
        for (DefinitionRow row : rows) {
            if (!row.isEmpty()) {
                try {
                    definition.put(row.key(), row.parsed());
                } catch (DefinitionRow.NotThisTypeException faulty) {
                    throw new IllegalStateException("a form with faults has no body", faulty);
                }
            }
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("pattern", pattern);
        body.put("apply-to", applyTo);
        body.put("priority", Integer.valueOf(priority));
        body.put("definition", definition);
        return body;
    }

    private static DefinitionRow checkedRow(
            DefinitionRow row, Map<String, Object> definition, List<Fault> found, int number) {
        String sentence = null;
        if (row.key().isBlank()) {
            sentence = "Row " + number + ": a value without a key.";
        } else if (definition.containsKey(row.key())) {
            sentence = row.key() + ": given twice.";
        } else {
            try {
                definition.put(row.key(), row.parsed());
            } catch (DefinitionRow.NotThisTypeException wrong) {
                sentence = wrong.getMessage();
            }
        }
        if (sentence == null) {
            return row;
        }
        found.add(new Fault("e-v" + number, sentence));
        return row.withError(sentence);
    }

    /** The validator gives a sentence; it belongs to the row whose key or value it names. */
    private static void addDefinitionFault(String sentence, List<DefinitionRow> rows, List<Fault> found) {
        int best = 0;
        for (int i = 0; i < rows.size() && best == 0; i++) {
            DefinitionRow row = rows.get(i);
            best = !row.isEmpty() && sentence.contains(row.key()) ? i + 1 : best;
        }
        for (int i = 0; i < rows.size() && best == 0; i++) {
            DefinitionRow row = rows.get(i);
            best = !row.isEmpty() && sentence.contains(row.value()) ? i + 1 : best;
        }
        int number = Math.max(best, 1);
        rows.set(number - 1, rows.get(number - 1).withError(sentence));
        found.add(new Fault("e-v" + number, sentence));
    }

    private PolicyForm withRows(List<DefinitionRow> changed) {
        return new PolicyForm(vhost, name, pattern, applyTo, priority, changed, List.of());
    }

    private static DefinitionRow blank() {
        return DefinitionRow.of("", "", DefinitionRow.Type.STRING);
    }
}
