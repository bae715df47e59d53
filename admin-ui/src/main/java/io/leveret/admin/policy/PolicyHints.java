package io.leveret.admin.policy;

import io.leveret.model.definition.PolicyKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The one-click keys below the form, and what each key's value is. */
final class PolicyHints {
    private PolicyHints() {}

    /** A button: its text and the keys that it adds. */
    record Hint(String text, String adds) {}

    /** A row of buttons. */
    record Group(String title, List<Hint> hints) {}

    private static final Set<String> NUMBERS = Set.of(
            PolicyKeys.HA_SYNC_BATCH_SIZE,
            PolicyKeys.HA_MIN_IN_SYNC,
            PolicyKeys.MESSAGE_TTL,
            PolicyKeys.EXPIRES,
            PolicyKeys.MAX_LENGTH,
            PolicyKeys.MAX_LENGTH_BYTES);

    private static final Group QUEUES = new Group(
            "Queues",
            List.of(
                    key("Message TTL", PolicyKeys.MESSAGE_TTL),
                    key("Expires", PolicyKeys.EXPIRES),
                    key("Max length", PolicyKeys.MAX_LENGTH),
                    key("Max length bytes", PolicyKeys.MAX_LENGTH_BYTES),
                    key("Overflow behaviour", PolicyKeys.OVERFLOW),
                    key("Dead letter exchange", PolicyKeys.DEAD_LETTER_EXCHANGE),
                    key("Dead letter routing key", PolicyKeys.DEAD_LETTER_ROUTING_KEY),
                    new Hint("Dead letter at least once", PolicyKeys.DEAD_LETTER_STRATEGY + "=at-least-once"),
                    new Hint("Reject when full", PolicyKeys.OVERFLOW + "=reject-publish"),
                    new Hint("Lazy", PolicyKeys.QUEUE_MODE + "=lazy")));

    private static final List<Group> ALL = List.of(
            new Group(
                    "One click",
                    List.of(
                            new Hint("Mirror to all nodes", "ha-mode=all; ha-sync-mode=automatic"),
                            new Hint("Two copies", "ha-mode=exactly; ha-params=2; ha-sync-mode=automatic"),
                            new Hint("Three copies", "ha-mode=exactly; ha-params=3; ha-sync-mode=automatic"),
                            new Hint("Chosen nodes…", "ha-mode=nodes; ha-params="))),
            new Group(
                    "Mirroring",
                    List.of(
                            key("HA mode", PolicyKeys.HA_MODE),
                            key("HA params", PolicyKeys.HA_PARAMS),
                            key("HA sync mode", PolicyKeys.HA_SYNC_MODE),
                            key("HA sync batch size", PolicyKeys.HA_SYNC_BATCH_SIZE),
                            key("HA promote on shutdown", PolicyKeys.HA_PROMOTE_ON_SHUTDOWN),
                            key("HA promote on failure", PolicyKeys.HA_PROMOTE_ON_FAILURE),
                            key("HA minimum in sync", PolicyKeys.HA_MIN_IN_SYNC),
                            key("HA replace lost", PolicyKeys.HA_REPLACE_LOST),
                            key("Leader locator", PolicyKeys.QUEUE_MASTER_LOCATOR))),
            QUEUES,
            new Group("Exchanges", List.of(key("Alternate exchange", PolicyKeys.ALTERNATE_EXCHANGE))));

    private static final List<Group> OPERATOR = List.of(new Group(
            "Queues",
            QUEUES.hints().stream()
                    .filter(hint -> PolicyKeys.OPERATOR.contains(hint.adds().replace("=", "")))
                    .toList()));

    static List<Group> groups(boolean isOperator) {
        return isOperator ? OPERATOR : ALL;
    }

    /** All keys that a button adds, for the list of suggestions. */
    static List<String> keys(boolean isOperator) {
        return groups(isOperator).stream()
                .skip(isOperator ? 0 : 1)
                .flatMap(group -> group.hints().stream())
                .map(hint -> hint.adds().substring(0, hint.adds().indexOf('=')))
                .toList();
    }

    /** {@code ha-params} is a number or a list, by the mode given with it. */
    static DefinitionRow.Type typeOf(String key, Map<String, String> others) {
        if (key.equals(PolicyKeys.HA_PARAMS)) {
            return "nodes".equals(others.get(PolicyKeys.HA_MODE)) ? DefinitionRow.Type.LIST : DefinitionRow.Type.NUMBER;
        }
        if (key.equals(PolicyKeys.HA_REPLACE_LOST)) {
            return DefinitionRow.Type.BOOLEAN;
        }
        return NUMBERS.contains(key) ? DefinitionRow.Type.NUMBER : DefinitionRow.Type.STRING;
    }

    private static Hint key(String text, String key) {
        return new Hint(text, key + "=");
    }
}
