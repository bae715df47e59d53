package io.leveret.node.broker.auth;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;

/**
 * The expressions of topic permissions may name who is asked about: {@code {username}} and {@code {vhost}} stand for their
 * letters, whatever these would mean in an expression. {@code {client_id}} belongs to protocols that have one; here it stands
 * for itself.
 */
public final class TopicPattern {
    private TopicPattern() {}

    /** The expression with its variables replaced. */
    public static String expand(String pattern, UserName user, VhostName vhost) {
        return pattern.indexOf('{') < 0
                ? pattern
                : pattern.replace("{username}", literal(user.value()))
                        .replace("{vhost}", literal(vhost.value()))
                        .replace("{client_id}", "\\{client_id\\}");
    }

    private static String literal(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(letter -> {
            if (letter < 0x80 && !Character.isLetterOrDigit(letter)) {
                escaped.append('\\');
            }
            escaped.appendCodePoint(letter);
        });
        return escaped.toString();
    }
}
