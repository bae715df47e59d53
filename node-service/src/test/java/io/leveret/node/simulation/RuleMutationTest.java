package io.leveret.node.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.cluster.replication.Seams;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Takes one rule of PROTOCOL.md §12 away at a time: a seed must break an invariant then, which with all rules breaks none. It shows
 * that the simulation would notice if the rule were lost from the code. A seed that is known to notice is tried first.
 *
 * <p>Not here: what is a second line of defence, so that nothing breaks when it alone is gone (EPOCHS_ARE_FENCED and
 * SESSION_ENDS_WITH_CONNECTION besides the numbers of sessions, DEDUPE_ROLLS_BACK besides DEDUPE_COUNTS_KNOWN_ONLY,
 * DISK_ANSWER_NEEDS_SESSION_ON_DISK besides the count of records), and what needs a schedule too rare to wait for
 * (HELLO_IS_NUMBERED; JOIN_NEEDS_COMMITTED_COMPARISON and
 * UNKNOWN_LOW_NUMBER_IS_REFUSED, which LeaderCoreTest shows).
 */
class RuleMutationTest {
    private static final int SEEDS_MAX = 3000;

    private record Mutant(String rule, long seed) {}

    private static final List<Mutant> CAUGHT = List.of(
            new Mutant("RESEND_IN_ORDER", 8),
            new Mutant("RESEND_IS_FLAGGED", 13),
            new Mutant("OWN_PUBLISHES_ARE_KEPT", 12),
            new Mutant("PUBLISH_NEEDS_SESSION", 505),
            new Mutant("SESSION_NEEDS_BOOT_AND_GENERATION", 99),
            new Mutant("PENDING_JOIN_IS_NEEDED", 590),
            new Mutant("PENDING_JOIN_IS_ADOPTED", 630),
            new Mutant("JOIN_NEEDS_FSYNC", 315),
            new Mutant("JOIN_NEEDS_COMMITTED_CUT", 440),
            new Mutant("JOIN_NEEDS_ALL_RECEIVED", 21),
            new Mutant("JOIN_NEEDS_BACKFILL", 9),
            new Mutant("SHRINK_COUNTS_WHEN_APPLIED", 28),
            new Mutant("COMMIT_NEEDS_ALL", 1),
            new Mutant("COMMIT_NEEDS_OPEN", 14),
            new Mutant("OLD_ANSWERS_ARE_VOID", 14),
            new Mutant("PERSISTENT_WAITS_FOR_DISK", 10),
            new Mutant("MEMBER_IS_TRUNCATED", 45),
            new Mutant("TRUNCATION_UNDOES_SETTLES", 35),
            new Mutant("TRUNCATION_IS_JOURNALLED", 11482),
            new Mutant("DUPLICATE_WAITS_FOR_COMMIT", 159),
            new Mutant("DEDUPE_REMEMBERS_SETTLED", 39),
            new Mutant("DEDUPE_COUNTS_KNOWN_ONLY", 137),
            new Mutant("FREEZE_STOPS_TRIMMING", 2252),
            new Mutant("RESENT_IS_REMEMBERED", 272),
            new Mutant("BACKFILL_SKIPS_KNOWN", 23),
            new Mutant("SETTLED_MARKS_KNOWN", 23),
            new Mutant("MISSING_IS_NOT_KNOWN", 1),
            new Mutant("ABANDONED_IS_MERGED", 2),
            new Mutant("MERGE_SKIPS_KNOWN", 31),
            new Mutant("MERGE_SKIPS_DUPLICATES", 14),
            new Mutant("MERGE_SETTLES_WHAT_IS_SETTLED_THERE", 194),
            new Mutant("TX_ACKS_WAIT_FOR_DISK", 35),
            new Mutant("TX_ACKS_OF_UNKNOWN_ARE_REFUSED", 806),
            new Mutant("ORDER_SINCE_FIRST_SENDING", 3864),
            new Mutant("HAND_OVER_STOPS_DELIVERIES", 8),
            new Mutant("HAND_OVER_IS_OF_THE_LAST_EPOCH", 233),
            new Mutant("TAKING_BACK_WAITS_FOR_COMMIT", 297));

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
        if (isCaughtBecauseOfIt(mutant.rule(), mutant.seed())) {
            return mutant.seed();
        }
        for (long seed = 1; seed <= SEEDS_MAX; seed++) {
            if (isCaughtBecauseOfIt(mutant.rule(), seed)) {
                System.out.println(mutant.rule() + " is caught by seed " + seed + ", no longer by " + mutant.seed());
                return seed;
            }
        }
        return 0;
    }

    /** The control: the same seed with every rule must pass, or what fails is not the loss of this one. */
    private static boolean isCaughtBecauseOfIt(String rule, long seed) {
        boolean isCaught = isCaught(List.of(rule), seed);
        if (isCaught) {
            assertThat(isCaught(List.of(), seed))
                    .as("seed %d fails with all rules, too", seed)
                    .isFalse();
        }
        return isCaught;
    }

    @SuppressWarnings("IllegalCatch") // a broken rule may break anything
    private static boolean isCaught(List<String> missing, long seed) {
        try {
            new SimulatedCluster(seed, new Seams(missing), false).run();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
