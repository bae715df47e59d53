package io.leveret.node.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.leveret.node.cluster.replication.Seams;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dead letters between two mirrored queues while both fail over: none is lost, none comes twice. {@code -Dletters.seed=N} */
class LetterSimulationTest {
    private static final int ROUNDS_IN_CI = 150;
    private static final int SEEDS_MAX = 1_500;

    @Test
    void noLetterIsLostOrDoubledWhateverFails() {
        Long one = Long.getLong("letters.seed");
        if (one != null) {
            run(one, true);
            return;
        }
        long from = Long.getLong("letters.from", 1);
        long rounds = Long.getLong("letters.rounds", ROUNDS_IN_CI);
        Coverage all = new Coverage();
        for (long seed = from; seed < from + rounds; seed++) {
            all.add(run(seed, false));
        }
        System.out.println(rounds + " seeds: letters " + all.letters + ", checked " + all.lettersChecked
                + ", remembered at the end " + all.lettersKnown + ", " + all);
        assertThat(all.lettersChecked).isGreaterThan((int) rounds);
    }

    @SuppressWarnings("IllegalCatch") // whatever goes wrong, the seed is told
    private static Coverage run(long seed, boolean isTraced) {
        try {
            return new SimulatedLetters(seed, new Seams(List.of()), false, isTraced).run();
        } catch (RuntimeException e) {
            return fail(
                    "seed " + seed + ": " + e.getMessage() + "\nrepeat: mvn -q -Pquick -pl node-service -am test "
                            + "-Dtest=LetterSimulationTest -Dsurefire.failIfNoSpecifiedTests=false -Dletters.seed="
                            + seed,
                    e);
        }
    }

    /** Each rule is needed: without it a seed fails that passes with all of them. One that is known to is tried first. */
    @ParameterizedTest
    @CsvSource({
        "LETTERS_ARE_KNOWN_BY_SOURCE, 16",
        "INHERITED_LETTERS_ARE_FLAGGED, 14",
        "FORMER_SOURCES_ARE_REFUSED, 506",
        "the target is told when the source has settled for good, 467"
    })
    void everyRuleIsMissedWhenItIsGone(String rule, long known) {
        boolean isRule = Seams.rules().contains(rule);
        Seams seams = new Seams(isRule ? List.of(rule) : List.of());
        if (isCaught(known, seams, !isRule)) {
            run(known, false);
            return;
        }
        for (long seed = 1; seed <= SEEDS_MAX; seed++) {
            if (isCaught(seed, seams, !isRule)) {
                run(seed, false);
                System.out.println(rule + " is caught by seed " + seed + ", no longer by " + known);
                return;
            }
        }
        fail("nothing fails without: " + rule);
    }

    @SuppressWarnings("IllegalCatch") // a broken rule may break anything
    private static boolean isCaught(long seed, Seams seams, boolean isToldAtOnce) {
        try {
            new SimulatedLetters(seed, seams, isToldAtOnce, false).run();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
