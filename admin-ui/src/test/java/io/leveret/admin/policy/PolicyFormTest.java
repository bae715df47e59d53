package io.leveret.admin.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyFormTest {
    @Test
    void everyTypeBecomesTheJsonThatItSays() {
        PolicyForm form = form(
                row("ha-mode", "nodes", "String"),
                row("ha-params", "rabbit1@a, rabbit2@a", "List"),
                row("message-ttl", " 60000 ", "Number"),
                row("ha-replace-lost", "false", "Boolean"));
        assertThat(form.checked(false).faults()).isEmpty();
        assertThat(form.body())
                .isEqualTo(Map.of(
                        "pattern",
                        "^x",
                        "apply-to",
                        "queues",
                        "priority",
                        7,
                        "definition",
                        Map.of(
                                "ha-mode",
                                "nodes",
                                "ha-params",
                                List.of("rabbit1@a", "rabbit2@a"),
                                "message-ttl",
                                60000L,
                                "ha-replace-lost",
                                false)));
    }

    @Test
    void aSetReplacesTheMirroringRowsAndKeepsTheOthers() {
        PolicyForm form = form(
                        row("ha-mode", "nodes", "String"),
                        row("ha-params", "a, b", "List"),
                        row("max-length", "5", "Number"))
                .add("ha-mode=all; ha-sync-mode=automatic");
        assertThat(form.rows())
                .extracting(DefinitionRow::key)
                .containsExactly("max-length", "ha-mode", "ha-sync-mode", "");
        assertThat(form.add("ha-mode=exactly; ha-params=2; ha-sync-mode=automatic")
                        .body()
                        .get("definition"))
                .isEqualTo(
                        Map.of("max-length", 5L, "ha-mode", "exactly", "ha-params", 2L, "ha-sync-mode", "automatic"));
    }

    @Test
    void aSingleKeyIsAddedOnceWithItsType() {
        PolicyForm form =
                form(row("ha-mode", "all", "String")).add("message-ttl=").add("message-ttl=");
        assertThat(form.rows()).extracting(DefinitionRow::key).containsExactly("ha-mode", "message-ttl", "");
        assertThat(form.rows().get(1).type()).isEqualTo(DefinitionRow.Type.NUMBER);
        assertThat(form.remove(1).rows()).extracting(DefinitionRow::key).containsExactly("message-ttl", "");
    }

    @Test
    void eachFaultIsAtItsField() {
        PolicyForm form = new PolicyForm(
                        "/",
                        " ",
                        "^(x",
                        "queues",
                        "high",
                        List.of(
                                DefinitionRow.of("ha-mode", "exactly", DefinitionRow.Type.STRING),
                                DefinitionRow.of("ha-params", "two", DefinitionRow.Type.STRING)),
                        List.of())
                .checked(false);
        assertThat(form.faults())
                .extracting(PolicyForm.Fault::field)
                .containsExactly("e-name", "e-pat", "e-prio", "e-v1");
        assertThat(form.fault("e-pat")).contains("missing )");
        assertThat(form.fault("e-v1")).contains("ha-mode=\"exactly\" takes an integer");
        assertThat(form.rows().get(0).error()).contains("takes an integer");
        assertThat(form.rows().get(1).value()).isEqualTo("two");
    }

    @Test
    void aValueThatIsNotItsTypeIsSaidBeforeTheCheckOfKeys() {
        PolicyForm form = form(row("message-ttl", "soon", "Number"), row("", "5", "Number"), row("a", "b", "Boolean"))
                .checked(false);
        assertThat(form.faults())
                .extracting(PolicyForm.Fault::sentence)
                .containsExactly(
                        "message-ttl: “soon” is not a number.",
                        "Row 2: a value without a key.",
                        "a: a Boolean is true or false; “b” is neither.");
    }

    @Test
    void anOperatorPolicyTakesOnlyItsKeys() {
        assertThat(form(row("max-length", "5", "Number")).checked(true).isFaulty())
                .isFalse();
        assertThat(form(row("ha-mode", "all", "String")).checked(true).isFaulty())
                .isTrue();
    }

    @Test
    void everyOneClickSetIsAValidPolicy() {
        PolicyHints.groups(false).get(0).hints().stream()
                .filter(hint -> !hint.adds().endsWith("="))
                .forEach(hint -> assertThat(
                                form().add(hint.adds()).checked(false).faults())
                        .as(hint.text())
                        .isEmpty());
    }

    private static PolicyForm form(String[]... rows) {
        Map<String, String> fields = new LinkedHashMap<>(
                Map.of("in", "/", "name", "p", "pattern", "^x", "apply-to", "queues", "priority", "7"));
        for (int i = 0; i < rows.length; i++) {
            fields.put("key" + (i + 1), rows[i][0]);
            fields.put("value" + (i + 1), rows[i][1]);
            fields.put("type" + (i + 1), rows[i][2]);
        }
        return PolicyForm.of(fields);
    }

    private static String[] row(String key, String value, String type) {
        return new String[] {key, value, type};
    }
}
