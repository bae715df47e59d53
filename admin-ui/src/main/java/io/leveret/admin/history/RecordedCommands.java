package io.leveret.admin.history;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.BrokerUnavailableException;
import io.leveret.admin.cluster.Caller;
import io.leveret.admin.cluster.CommandAnswer;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Kept;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.cluster.NodeClient;
import io.leveret.admin.cluster.UnknownOutcomeException;
import io.leveret.admin.web.Json;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Primary;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes every change into the history around its execution: before it, that it starts; after it, how it ended.
 *
 * <p>The history serves people; it must not stand between an operator and the cluster. When its database fails the change is
 * made all the same, and the log says that it is not in the history.
 */
@Component
@Primary
class RecordedCommands implements BrokerCommands {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedCommands.class);

    /** A password's hash has no place in a history. */
    private static final String HASH = "password_hash";

    private static final int JSON_CHARS_MAX = 200_000;
    private static final int REASON_CHARS_MAX = 2_000;

    private final NodeClient nodes;
    private final List<Kept> kept;
    private final BrokerQueries queries;
    private final Changes changes;
    private final Caller caller;
    private final Clock clock;

    RecordedCommands(NodeClient nodes, List<Kept> kept, Changes changes, Caller caller, Clock clock) {
        this.nodes = nodes;
        this.kept = List.copyOf(kept);
        this.queries = nodes;
        this.changes = changes;
        this.caller = caller;
        this.clock = clock;
    }

    @Override
    public CommandAnswer apply(Mutation mutation) {
        Change change =
                saved(new Change(clock.instant(), caller.name(), caller.via(), mutation, present(mutation)), mutation);
        try {
            CommandAnswer answer = sent(mutation);
            ended(change, Change.Outcome.DONE, null, present(mutation));
            return answer;
        } catch (BrokerRefusedException refused) {
            ended(change, Change.Outcome.REFUSED, refused.getMessage(), null);
            throw refused;
        } catch (BrokerUnavailableException unavailable) {
            ended(change, Change.Outcome.UNAVAILABLE, unavailable.getMessage(), null);
            throw unavailable;
        } catch (UnknownOutcomeException unknown) {
            ended(change, Change.Outcome.UNKNOWN, unknown.getMessage(), null);
            throw unknown;
        }
    }

    /** Whatever the answer, and if there is none: what was read before must not be shown as what is. */
    private CommandAnswer sent(Mutation mutation) {
        try {
            return nodes.apply(mutation);
        } finally {
            kept.forEach(Kept::forget);
        }
    }

    /** The object as it is declared now; null when it is not there, cannot be read, or is too large to keep. */
    private @Nullable String present(Mutation mutation) {
        ControlPath readable = mutation.subject().readable();
        if (readable == null) {
            return null;
        }
        try {
            JsonNode object = queries.get(readable.withoutStatistics(), JsonNode.class);
            hideSecrets(object);
            String text = object.toString();
            return text.length() > JSON_CHARS_MAX ? null : text;
        } catch (BrokerRefusedException | BrokerUnavailableException absent) {
            return null;
        }
    }

    private static void hideSecrets(JsonNode object) {
        if (object instanceof ObjectNode fields && fields.has(HASH)) {
            fields.put(HASH, "(not kept)");
        }
        object.forEach(RecordedCommands::hideSecrets);
    }

    private @Nullable Change saved(Change change, Mutation mutation) {
        try {
            return changes.save(change);
        } catch (DataAccessException broken) {
            LOG.error(
                    "Not in the history, its database fails: {} {} {}",
                    mutation.verb(),
                    mutation.subject().kind(),
                    mutation.subject().name(),
                    broken);
            return null;
        }
    }

    private void ended(
            @Nullable Change change, Change.Outcome outcome, @Nullable String reason, @Nullable String after) {
        if (change == null) {
            return;
        }
        change.ended(outcome, reason == null ? null : cut(reason), after);
        try {
            changes.save(change);
        } catch (DataAccessException broken) {
            LOG.error("The history does not know how a change ended: {} {}", outcome, Json.text(change.name()), broken);
        }
    }

    private static String cut(String reason) {
        return reason.length() > REASON_CHARS_MAX ? reason.substring(0, REASON_CHARS_MAX) : reason;
    }
}
