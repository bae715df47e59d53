package io.leveret.node.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.cluster.replication.Seams;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Takes one rule of PROTOCOL.md §12 away at a time: a seed must break an invariant then. It shows that the simulation would
 * notice if the rule were lost from the code. A seed that is known to notice is tried first.
 */
class RuleMutationTest {
    private static final int SEEDS_MAX = 1000;

    private record Mutant(String rule, long seed) {}

    private static final List<Mutant> CAUGHT = List.of(
            new Mutant("RESEND_IN_ORDER", 20),
            new Mutant("RESEND_IS_FLAGGED", 11),
            new Mutant("OWN_PUBLISHES_ARE_KEPT", 34),
            new Mutant("SESSION_NEEDS_BOOT_AND_GENERATION", 32),
            new Mutant("PENDING_JOIN_IS_NEEDED", 37),
            new Mutant("JOIN_NEEDS_ALL_RECEIVED", 39),
            new Mutant("JOIN_NEEDS_BACKFILL", 1),
            new Mutant("SHRINK_COUNTS_WHEN_APPLIED", 56),
            new Mutant("COMMIT_NEEDS_ALL", 1),
            new Mutant("COMMIT_NEEDS_OPEN", 328),
            new Mutant("OLD_ANSWERS_ARE_VOID", 209),
            new Mutant("PERSISTENT_WAITS_FOR_DISK", 10),
            new Mutant("MEMBER_IS_TRUNCATED", 33),
            new Mutant("TRUNCATION_UNDOES_SETTLES", 349),
            new Mutant("TRUNCATION_IS_JOURNALLED", 33),
            new Mutant("DUPLICATE_WAITS_FOR_COMMIT", 209),
            new Mutant("DEDUPE_REMEMBERS_SETTLED", 1),
            new Mutant("DEDUPE_ROLLS_BACK", 33),
            new Mutant("DEDUPE_COUNTS_KNOWN_ONLY", 155),
            new Mutant("FREEZE_STOPS_TRIMMING", 138),
            new Mutant("RESENT_IS_REMEMBERED", 436),
            new Mutant("BACKFILL_SKIPS_KNOWN", 7),
            new Mutant("SETTLED_MARKS_KNOWN", 7),
            new Mutant("MISSING_IS_NOT_KNOWN", 5),
            new Mutant("ABANDONED_IS_MERGED", 1),
            new Mutant("MERGE_SKIPS_KNOWN", 1),
            new Mutant("MERGE_SKIPS_DUPLICATES", 15),
            new Mutant("MERGE_SETTLES_WHAT_IS_SETTLED_THERE", 1));

    @TestFactory
    Stream<DynamicTest> everyRuleIsMissedWhenItIsGone() {
        return CAUGHT.stream()
                .map(mutant -> DynamicTest.dynamicTest(
                        mutant.rule(),
                        () -> assertThat(caughtBy(mutant))
                                .as("without " + mutant.rule() + " a seed of " + SEEDS_MAX + " breaks an invariant")
                                .isPositive()));
    }

    private static long caughtBy(Mutant mutant) {
        if (isCaught(mutant.rule(), mutant.seed())) {
            return mutant.seed();
        }
        for (long seed = 1; seed <= SEEDS_MAX; seed++) {
            if (isCaught(mutant.rule(), seed)) {
                System.out.println(mutant.rule() + " is caught by seed " + seed + ", no longer by " + mutant.seed());
                return seed;
            }
        }
        return 0;
    }

    @SuppressWarnings("IllegalCatch") // a broken rule may break anything
    private static boolean isCaught(String rule, long seed) {
        try {
            new SimulatedCluster(seed, new Seams(List.of(rule)), false).run();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
