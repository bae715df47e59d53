package io.leveret.admin.cluster;

import io.leveret.model.control.AuthenticatedUser;
import io.leveret.model.control.Credentials;
import java.util.List;
import java.util.Optional;

/**
 * What can be asked of the cluster without changing it. The paths and the records are those of docs/control-api.md.
 *
 * <p>Every method throws {@link BrokerRefusedException} when a node says no, and {@link BrokerUnavailableException} when no
 * node answers.
 */
public interface BrokerQueries {
    /** All elements of a list. */
    <T> List<T> list(ControlPath path, Class<T> element);

    /** One object. */
    <T> T get(ControlPath path, Class<T> type);

    /** One object, or none when a node says 404. */
    default <T> Optional<T> find(ControlPath path, Class<T> type) {
        try {
            return Optional.of(get(path, type));
        } catch (BrokerRefusedException refused) {
            if (refused.status() == 404) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** Asks a question that needs a body, such as what a policy would do. */
    <T> T ask(ControlPath path, Object body, Class<T> type);

    /** Checks a name and a password; empty when they are wrong. */
    Optional<AuthenticatedUser> authenticate(Credentials credentials);
}
