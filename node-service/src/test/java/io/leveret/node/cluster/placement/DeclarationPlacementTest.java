package io.leveret.node.cluster.placement;

import static io.leveret.node.cluster.placement.Scene.all;
import static io.leveret.node.cluster.placement.Scene.exactly;
import static io.leveret.node.cluster.placement.Scene.listed;
import static io.leveret.node.cluster.placement.Scene.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.runtime.Randomness;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeclarationPlacementTest {
    private static final String LOCATOR = "x-queue-master-locator";

    private final Scene scene = new Scene("ABC");

    /** Chance that a test foresees. */
    private record Fixed(long nextLong) implements Randomness {
        @Override
        public void fill(byte[] bytes) {
            throw new UnsupportedOperationException();
        }
    }

    private String choose(String client, Map<String, Object> arguments, long chance) {
        return Scene.letters(new DeclarationPlacement(new Fixed(chance))
                .choose(scene.image, Scene.declaration("new", arguments), n(client)));
    }

    private String choose(String client) {
        return choose(client, Map.of(), 0);
    }

    @Test
    void withoutPolicyTheQueueIsAloneOnTheClientsNode() {
        assertThat(choose("B")).isEqualTo("B");
    }

    @Test
    void policyDecidesTheMirrors() {
        Object[][] rows = {
            {all(), "B", "BAC"},
            {exactly(1), "B", "B"},
            {exactly(2), "B", "BA"},
            {exactly(3), "C", "CAB"},
            {exactly(5), "A", "ABC"},
            {exactly(Long.MAX_VALUE), "A", "ABC"},
            {listed("BC"), "B", "BC"},
            {listed("BC"), "C", "CB"},
            // not listed: the first listed node leads
            {listed("CB"), "A", "CB"},
            // what does not run is skipped, and nothing is left: the client's node, alone
            {listed(List.of("ghost", "C")), "A", "C"},
            {listed(List.of("ghost")), "A", "A"},
        };
        for (Object[] row : rows) {
            @SuppressWarnings("unchecked")
            Map<String, Object> policy = (Map<String, Object>) row[0];
            scene.policy(policy);
            assertThat(choose((String) row[1])).as("%s", policy).isEqualTo(row[2]);
        }
    }

    @Test
    void onlyLiveNodesThatCarryQueuesAreChosen() {
        scene.up("W", true);
        scene.down("C");
        scene.policy(all());
        assertThat(choose("A")).isEqualTo("AB");
        scene.policy(exactly(4));
        assertThat(choose("A")).isEqualTo("AB");
        scene.policy(listed("WCB"));
        assertThat(choose("A")).isEqualTo("B");
        scene.noPolicy();
        assertThat(choose("W")).as("a client of a witness").isEqualTo("A");
    }

    @Test
    void exactlyTakesTheNodesWithTheFewestReplicas() {
        scene.declare("x", "BC");
        scene.declare("y", "BA");
        scene.policy(exactly(2));
        assertThat(choose("B")).isEqualTo("BA");
        scene.declare("z", "A");
        assertThat(choose("B")).isEqualTo("BC");
    }

    @Test
    void anExclusiveQueueStaysWithItsConnection() {
        scene.policy(all());
        DefinitionChange.DeclareQueue exclusive = new DefinitionChange.DeclareQueue(
                new QueueDefinition(Scene.q("own"), false, true, false, Map.of(LOCATOR, "min-masters")),
                new QueueOwner(n("C"), 1, 1));
        assertThat(new DeclarationPlacement(new Fixed(0)).choose(scene.image, exclusive, n("C")))
                .containsExactly(n("C"));
    }

    @Test
    void minMastersTakesTheNodeThatLeadsTheFewest() {
        scene.declare("x", "AB");
        scene.declare("y", "BAC");
        scene.declare("z", "C");
        scene.declare("zz", "C");
        assertThat(choose("C", Map.of(LOCATOR, "min-masters"), 0)).isEqualTo("A");
        scene.declare("a", "A");
        assertThat(choose("C", Map.of(LOCATOR, "min-masters"), 0)).isEqualTo("B");
        scene.policy(listed("CA"));
        assertThat(choose("B", Map.of(LOCATOR, "min-masters"), 0))
                .as("among the listed")
                .isEqualTo("AC");
    }

    @Test
    void sixQueuesByMinMastersGoRound() {
        StringBuilder leaders = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            String node = choose("A", Map.of(LOCATOR, "min-masters"), 0);
            scene.declare("q" + i, node);
            leaders.append(node);
        }
        assertThat(leaders).hasToString("ABCABC");
    }

    @Test
    void randomTakesEachNodeThatServes() {
        scene.drain("B", true);
        Set<String> seen = new TreeSet<>();
        for (long chance = -3; chance < 3; chance++) {
            seen.add(choose("A", Map.of(LOCATOR, "random"), chance));
        }
        assertThat(seen).containsExactly("A", "C");
    }

    @Test
    void theArgumentComesBeforeThePolicyAndBothBeforeTheDefault() {
        scene.declare("x", "A");
        Map<String, Object> policy = new HashMap<>(all());
        policy.put("queue-master-locator", "min-masters");
        scene.policy(policy);
        assertThat(choose("A")).isEqualTo("BAC");
        assertThat(choose("A", Map.of(LOCATOR, "client-local"), 0)).isEqualTo("ABC");
        assertThat(choose("A", Map.of(LOCATOR, 5), 0)).isEqualTo("BAC");
    }

    @Test
    void maintenanceIsAvoidedButForTheClientsOwnNode() {
        scene.drain("A", true);
        assertThat(choose("A")).isEqualTo("A");
        assertThat(choose("C", Map.of(LOCATOR, "min-masters"), 0)).isEqualTo("B");
        scene.policy(exactly(2));
        assertThat(choose("B")).isEqualTo("BC");
        scene.policy(listed("AC"));
        assertThat(choose("B")).isEqualTo("CA");
        scene.policy(listed("A"));
        assertThat(choose("B")).isEqualTo("A");
    }

    @Test
    void aQueueThatExistsIsLeftWhereItIs() {
        scene.declare("new", "CB");
        scene.policy(all());
        assertThat(choose("A")).isEqualTo("CB");
    }
}
