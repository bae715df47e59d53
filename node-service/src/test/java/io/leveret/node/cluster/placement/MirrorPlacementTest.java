package io.leveret.node.cluster.placement;

import static io.leveret.node.cluster.placement.Scene.all;
import static io.leveret.node.cluster.placement.Scene.exactly;
import static io.leveret.node.cluster.placement.Scene.listed;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.cluster.metadata.ClusterCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MirrorPlacementTest {
    private final Scene scene = new Scene("ABCD");

    private static Map<String, Object> keepLost(Map<String, Object> policy) {
        Map<String, Object> keys = new HashMap<>(policy);
        keys.put("ha-replace-lost", false);
        return keys;
    }

    @Test
    void stepsFromOnePlaceToAnotherWithAllInSync() {
        Object[][] rows = {
            // before, policy, steps without a sync, shape after
            {"A", all(), "+B +C +D", "A*bcd"},
            {"CA", all(), "+B +D", "C*Abd"},
            {"A", exactly(1), "", "A*"},
            {"A", exactly(2), "+B", "A*b"},
            {"ABCD", exactly(2), "-D -C", "A*B"},
            {"ABC", exactly(1), "-C -B", "A*"},
            {"DC", exactly(3), "+A", "D*Ca"},
            {"A", exactly(9), "+B +C +D", "A*bcd"},
            {"AB", listed("AB"), "", "A*B"},
            {"AB", listed("BA"), "", "A*B"},
            {"AB", listed("B"), ">B -A", "B*"},
            {"ABC", listed("CB"), ">C -A", "BC*"},
            {"A", listed("BC"), "+B +C", "A*bc"},
            {"ABC", listed(List.of("ghost")), "-C -B", "A*"},
            {"AB", listed(List.of("ghost", "A")), "-B", "A*"},
            {"ABC", null, "-C -B", "A*"},
        };
        for (Object[] row : rows) {
            Scene fresh = new Scene("ABCD");
            fresh.declare("q", (String) row[0]);
            @SuppressWarnings("unchecked")
            Map<String, Object> policy = (Map<String, Object>) row[1];
            if (policy != null) {
                fresh.policy(policy);
            }
            assertThat(fresh.settle("q")).as("%s under %s", row[0], policy).isEqualTo(row[2]);
            assertThat(fresh.shape("q")).as("%s under %s", row[0], policy).isEqualTo(row[3]);
        }
    }

    @Test
    void fromAbToCdPassesThroughAcdAndNeverHasFewerCopies() {
        scene.declare("q", "AB");
        scene.policy(listed("CD"));
        assertThat(scene.target("q")).isEqualTo("CD");
        assertThat(scene.settle("q")).isEqualTo("+C +D");
        assertThat(scene.shape("q")).isEqualTo("A*Bcd");

        scene.join("q", "C");
        assertThat(scene.settle("q")).isEqualTo("-B >C");
        assertThat(scene.shape("q"))
                .as("old leader stays until the other is in sync")
                .isEqualTo("AC*d");

        scene.join("q", "D");
        assertThat(scene.settle("q")).isEqualTo("-A");
        assertThat(scene.shape("q")).isEqualTo("C*D");
        assertThat(scene.next("q")).isNull();
    }

    @Test
    void migrationPrefersTheListedMirrorThatIsInSync() {
        scene.declare("q", "AB");
        scene.policy(listed("CD"));
        scene.settle("q");
        scene.join("q", "D");
        assertThat(scene.settle("q")).isEqualTo("-B >D");
        assertThat(scene.shape("q")).isEqualTo("AcD*");
    }

    @Test
    void anUnsyncedOldMirrorGoesAtOnceAndTheLeaderWaits() {
        scene.declare("q", "AB");
        scene.shrink("q", "B");
        scene.policy(listed("CD"));
        assertThat(scene.settle("q")).isEqualTo("+C +D -B");
        assertThat(scene.shape("q")).isEqualTo("A*cd");
        scene.join("q", "D");
        assertThat(scene.settle("q")).isEqualTo(">D");
        scene.join("q", "C");
        assertThat(scene.settle("q")).isEqualTo("-A");
    }

    @Test
    void aPolicyThatChangesAgainOnTheWayIsFollowedAtOnce() {
        scene.declare("q", "AB");
        scene.policy(listed("CD"));
        scene.settle("q");
        scene.policy(listed("AB"));
        assertThat(scene.settle("q")).isEqualTo("-D -C");
        assertThat(scene.shape("q")).isEqualTo("A*B");
    }

    @Test
    void exactlyKeepsWhatIsInSyncBeforeWhatIsOld() {
        scene.declare("q", "ABCD");
        scene.shrink("q", "B");
        scene.policy(exactly(2));
        assertThat(scene.target("q")).isEqualTo("AC");
        assertThat(scene.settle("q")).isEqualTo("-D -B");
        assertThat(scene.shape("q")).isEqualTo("A*C");
    }

    @Test
    void exactlyAddsTheNodeWithTheFewestReplicasAndAvoidsMaintenance() {
        scene.declare("x", "B");
        scene.declare("q", "A");
        scene.drain("C", true);
        scene.policy(exactly(2));
        assertThat(scene.settle("q")).isEqualTo("+D");
        scene.policy(exactly(4));
        assertThat(scene.settle("q")).as("all, when there are no others").isEqualTo("+B +C");
    }

    @Test
    void aLostMirrorOfExactlyIsReplacedAndDroppedOnceTheNewOneIsInSync() {
        scene.declare("q", "AC");
        scene.policy(exactly(2));
        scene.down("C");
        assertThat(scene.settle("q")).isEqualTo("+B");
        assertThat(scene.shape("q")).isEqualTo("A*cb");
        scene.join("q", "B");
        assertThat(scene.settle("q")).isEqualTo("-C");
        scene.up("C");
        assertThat(scene.settle("q")).as("it is not added again").isEmpty();
        scene.down("A");
        scene.open("q");
        assertThat(scene.settle("q")).isEqualTo("+C");
        assertThat(scene.target("q")).isEqualTo("BC");
    }

    @Test
    void aLostMirrorThatIsBackBeforeItsReplacementIsInSyncStays() {
        scene.declare("q", "AC");
        scene.policy(exactly(2));
        scene.down("C");
        scene.settle("q");
        scene.up("C");
        assertThat(scene.settle("q")).isEqualTo("-B");
        assertThat(scene.shape("q")).isEqualTo("A*c");
    }

    @Test
    void aLostMirrorWaitsWhenNobodyCanReplaceIt() {
        scene.declare("q", "ABCD");
        scene.policy(exactly(4));
        scene.down("D");
        assertThat(scene.settle("q")).isEmpty();
        assertThat(scene.target("q")).isEqualTo("ABCD");
        scene.policy(exactly(2));
        assertThat(scene.settle("q")).isEqualTo("-D -C");
    }

    @Test
    void withoutReplacementALostMirrorCounts() {
        scene.declare("q", "AB");
        scene.policy(keepLost(exactly(2)));
        scene.down("B");
        assertThat(scene.settle("q")).isEmpty();
        assertThat(scene.target("q")).isEqualTo("AB");
        scene.policy(keepLost(exactly(3)));
        assertThat(scene.settle("q")).as("one more is wanted whoever is down").isEqualTo("+C");
        scene.join("q", "C");
        scene.policy(keepLost(exactly(2)));
        assertThat(scene.settle("q")).as("two are in sync without it").isEqualTo("-B");
    }

    @Test
    void downReplicasStayUnderAllAndWhenListed() {
        scene.declare("q", "ABC");
        scene.down("C");
        scene.policy(all());
        assertThat(scene.settle("q")).isEqualTo("+D");
        scene.join("q", "D");
        assertThat(scene.settle("q")).isEmpty();
        assertThat(scene.shape("q")).isEqualTo("A*BcD");
        scene.policy(listed("AC"));
        assertThat(scene.settle("q")).as("one listed node runs").isEqualTo("-D -B");
        assertThat(scene.shape("q")).isEqualTo("A*c");
        scene.policy(listed("AD"));
        assertThat(scene.settle("q")).isEqualTo("+D");
        scene.join("q", "D");
        assertThat(scene.settle("q")).as("down and not listed").isEqualTo("-C");
    }

    @Test
    void whileNoListedNodeRunsAllStaysAsItIs() {
        scene.declare("q", "AB");
        scene.down("C");
        scene.policy(listed("C"));
        assertThat(scene.settle("q")).isEmpty();
        assertThat(scene.target("q")).isEqualTo("AB");
        scene.up("C");
        assertThat(scene.settle("q")).as("one copy is wanted").isEqualTo("+C -B");
        scene.join("q", "C");
        assertThat(scene.settle("q")).isEqualTo(">C -A");
    }

    @Test
    void aListedNodeIsAddedWhenItComesUp() {
        scene.declare("q", "A");
        scene.policy(listed("AE"));
        assertThat(scene.settle("q")).isEmpty();
        scene.up("E");
        assertThat(scene.settle("q")).isEqualTo("+E");
    }

    @Test
    void witnessesHoldNothing() {
        scene.up("W", true);
        scene.declare("q", "A");
        scene.policy(all());
        assertThat(scene.settle("q")).isEqualTo("+B +C +D");
        scene.policy(listed("WB"));
        scene.join("q", "B");
        assertThat(scene.settle("q")).isEqualTo("-D -C >B -A");
    }

    @Test
    void nothingIsDoneWithoutALeaderThatMayCommit() {
        scene.declare("q", "AB");
        scene.policy(all());
        scene.down("A");
        assertThat(scene.next("q")).as("the new leader has not opened").isNull();
        scene.open("q");
        assertThat(scene.next("q")).isNotNull();
        scene.leave("B");
        assertThat(scene.queue("q").leader()).isNull();
        assertThat(scene.next("q")).isNull();
        assertThat(scene.target("q")).isEqualTo("AB");
    }

    @Test
    void nothingIsRemovedWhileAReplicaMayHoldWhatWasLost() {
        scene.declare("q", "AB");
        scene.shrink("q", "B");
        scene.down("A");
        scene.open("q");
        assertThat(scene.shape("q")).as("promoted out of sync").isEqualTo("aB*");
        scene.policy(exactly(1));
        assertThat(scene.settle("q")).isEmpty();
        scene.up("A");
        assertThat(scene.settle("q")).isEmpty();
        scene.merged("q", "A");
        assertThat(scene.settle("q")).isEqualTo("-A");
    }

    @Test
    void aDrainedNodeHandsItsLeadersToTheNodesThatLeadTheFewest() {
        scene.declare("x", "B");
        scene.declare("q", "ABC");
        scene.policy(listed("ABC"));
        scene.drain("A", true);
        assertThat(Scene.text(scene.next("q"))).isEqualTo(">C");
        assertThat(scene.settle("q")).isEqualTo(">C");
        assertThat(scene.shape("q")).isEqualTo("ABC*");
        scene.drain("C", true);
        scene.drain("B", true);
        assertThat(scene.settle("q")).as("nowhere to go").isEmpty();
        scene.drain("A", false);
        assertThat(scene.settle("q")).isEqualTo(">A");
    }

    @Test
    void aDrainedNodeKeepsAQueueThatNobodyElseHolds() {
        scene.declare("q", "A");
        scene.declare("r", "AB");
        scene.shrink("r", "B");
        scene.policy(exactly(1));
        scene.drain("A", true);
        assertThat(scene.settle("q")).isEmpty();
        scene.policy(listed("AB"));
        scene.settle("r");
        assertThat(scene.shape("r")).as("its mirror is not in sync").isEqualTo("A*b");
        scene.join("r", "B");
        assertThat(scene.settle("r")).isEqualTo(">B");
    }

    @Test
    void anUnwantedLeaderMovesToADrainingNodeRatherThanNowhere() {
        scene.declare("q", "AB");
        scene.drain("B", true);
        scene.policy(listed("B"));
        assertThat(scene.settle("q")).isEqualTo(">B -A");
    }

    @Test
    void anExclusiveQueueIsNeverMirrored() {
        scene.apply(new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(
                        new QueueDefinition(Scene.q("own"), false, true, false, Map.of()),
                        new QueueOwner(Scene.n("A"), 1, 1)),
                Scene.nodes("A")));
        scene.policy(all());
        assertThat(scene.settle("own")).isEmpty();
    }

    @Test
    void queuesPlannedFromOneImageSpread() {
        Map<String, Integer> added = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            scene.declare("q" + i, "A");
        }
        scene.policy(exactly(2));
        PlannedLoads loads = new PlannedLoads(scene.image);
        for (int i = 0; i < 30; i++) {
            PlacementStep.Add step =
                    (PlacementStep.Add) MirrorPlacement.next(loads, scene.queue("q" + i), scene.mirroring("q" + i));
            loads.added(step.node());
            added.merge(step.node().value(), 1, Integer::sum);
        }
        assertThat(added).isEqualTo(Map.of("B", 10, "C", 10, "D", 10));
    }
}
