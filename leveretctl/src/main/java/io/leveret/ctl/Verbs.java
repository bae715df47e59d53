package io.leveret.ctl;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every command, in the order in which help lists them. */
final class Verbs {
    static final List<Verb> ALL = Stream.of(
                    NodeVerbs.help(),
                    NodeVerbs.nodes(),
                    NodeVerbs.cluster(),
                    QueueVerbs.replication(),
                    UserVerbs.all(),
                    PermissionVerbs.all(),
                    ListingVerbs.all(),
                    HealthVerbs.all(),
                    LoginVerbs.all(),
                    ParameterVerbs.all(),
                    PolicyVerbs.all(),
                    VhostVerbs.all(),
                    NodeVerbs.settings(),
                    DefinitionVerbs.all(),
                    NodeVerbs.features(),
                    ConnectionVerbs.all(),
                    QueueVerbs.queues(),
                    NodeVerbs.deprecated())
            .flatMap(List::stream)
            .toList();

    private static final double NEAR = 0.85;

    private Verbs() {}

    static @Nullable Verb find(String name) {
        return ALL.stream().filter(verb -> verb.name().equals(name)).findFirst().orElse(null);
    }

    /** The verb that was probably meant, or null when none is near enough. */
    static @Nullable String nearest(String name) {
        String best = null;
        double bestLikeness = NEAR;
        for (Verb verb : ALL) {
            int longer = Math.max(verb.name().length(), name.length());
            double likeness = 1.0 - (double) edits(verb.name(), name) / longer;
            if (likeness > bestLikeness) {
                bestLikeness = likeness;
                best = verb.name();
            }
        }
        return best;
    }

    /** How many letters must be put in, taken out or changed to make one text from the other. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
