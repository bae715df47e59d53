package io.leveret.node.simulation;

import static org.assertj.core.api.Assertions.fail;

import io.leveret.node.cluster.replication.Seams;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Seeded schedules over the replication cores. By hand: {@code -Dsim.seed=N} runs one seed with a trace, {@code
 * -Dsim.rounds=N} many, from {@code -Dsim.from}.
 */
class ClusterSimulationTest {
    private static final int ROUNDS_IN_CI = 300;

    @Test
    void invariantsHoldWhateverFails() {
        Long one = Long.getLong("sim.seed");
        if (one != null) {
            run(one, true);
            return;
        }
        long from = Long.getLong("sim.from", 1);
        long rounds = Long.getLong("sim.rounds", ROUNDS_IN_CI);
        Coverage all = new Coverage();
        for (long seed = from; seed < from + rounds; seed++) {
            all.add(run(seed, false));
        }
        System.out.println(rounds + " seeds: " + all);
    }

    @SuppressWarnings("IllegalCatch") // whatever goes wrong, the seed is told
    private static Coverage run(long seed, boolean isTraced) {
        try {
            return new SimulatedCluster(seed, new Seams(List.of()), isTraced).run();
        } catch (RuntimeException e) {
            return fail(
                    "seed " + seed + ": " + e.getMessage() + "\nrepeat: mvn -q -Pquick -pl node-service -am test "
                            + "-Dtest=ClusterSimulationTest -Dsurefire.failIfNoSpecifiedTests=false -Dsim.seed=" + seed,
                    e);
        }
    }
}
