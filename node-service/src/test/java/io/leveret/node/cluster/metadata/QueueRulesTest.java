package io.leveret.node.cluster.metadata;

import static io.leveret.node.cluster.metadata.Scenario.n;
import static io.leveret.node.cluster.metadata.Scenario.q;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.ExchangeName;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.cluster.metadata.ClusterCommand.Join;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md §2, rule by rule; §12 says what each prevents. */
class QueueRulesTest {
    private static final Map<String, Object> WHEN_SYNCED =
            Map.of("ha-mode", "all", "ha-promote-on-failure", "when-synced");
    private static final Map<String, Object> ALWAYS =
            Map.of("ha-mode", "all", "ha-promote-on-failure", "always", "ha-promote-on-shutdown", "always");

    private final Scenario s = new Scenario();

    @BeforeEach
    void threeNodesHoldAQueue() {
        s.up("a", 1);
        s.up("b", 1);
        s.up("c", 1);
        s.declare("q", true, "a", "b", "c");
    }

    @Test
    void declaredQueueIsOpenAndInSyncEverywhere() {
        assertThat(s.shape("q")).isEqualTo("a | abc | abc | abc |  open");
        assertThat(s.queue("q").incarnation()).isEqualTo(s.image.index());
    }

    @Test
    void declareLeavesOutNodesThatCannotHoldQueues() {
        s.down("b", 1);
        s.apply(new ClusterCommand.NodeUp(n("w"), 1, new UUID(1, 1), true, Set.of()));
        s.declare("r", true, "a", "b", "w", "c", "c");
        assertThat(s.shape("r")).isEqualTo("a | ac | ac | ac |  open");
        Outcome nowhere = s.declare("x", true, "b");
        assertThat(nowhere.requireRefusal().kind()).isEqualTo(RefusalKind.UNAVAILABLE);
        assertThat(s.image.definitions().queue(q("x"))).isNull();
        assertThat(s.declare("r", true)).isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    void onlyTheLeaderOfThisEpochCanSayThatAQueueIsUnused() {
        long id = s.queue("q").incarnation();
        long epoch = s.queue("q").epoch();
        s.down("a", 1);
        assertThat(s.queue("q").epoch()).isGreaterThan(epoch);
        assertThat(s.apply(new ClusterCommand.Expire(List.of(new ClusterCommand.Expire.Step(id, epoch))))
                        .isRefused())
                .isTrue();
        s.apply(new ClusterCommand.Expire(
                List.of(new ClusterCommand.Expire.Step(id, s.queue("q").epoch()))));
        assertThat(s.image.placement(q("q"))).isNull();
        assertThat(s.image.definitions().queue(q("q"))).isNull();
    }

    @Test
    void queueDeclaredAgainIsAnotherIncarnation() {
        long first = s.queue("q").incarnation();
        s.apply(new ClusterCommand.Delete(List.of(first)));
        assertThat(s.image.placement(q("q"))).isNull();
        s.declare("q", true, "b");
        assertThat(s.queue("q").incarnation()).isGreaterThan(first);
        assertThat(s.apply(new ClusterCommand.Delete(List.of(first))).isRefused())
                .isTrue();
        assertThat(s.apply(new ClusterCommand.Open(List.of(new ClusterCommand.Open.Step(first, 1))))
                        .isRefused())
                .isTrue();
        assertThat(s.image.placement(q("q"))).isNotNull();
    }

    @Test
    void cleanFailoverGoesToTheOldestInSync() {
        s.shrink("q", "b");
        s.down("a", 1);
        assertThat(s.shape("q")).isEqualTo("c | abc | c | ac | ");
        assertThat(s.delta.promotions()).extracting(Promotion::kind).containsExactly(Promotion.Kind.CLEAN);
        assertThat(s.queue("q").epoch()).isEqualTo(2);
        s.open("q");
        assertThat(s.shape("q")).isEqualTo("c | abc | c | c |  open");
    }

    @Test
    void mirrorThatDiesLeavesBothSetsWhileTheLeaderGoesOn() {
        s.down("b", 1);
        assertThat(s.shape("q")).isEqualTo("a | abc | ac | ac |  open");
        assertThat(s.queue("q").epoch()).isEqualTo(1);
        s.up("b", 1);
        assertThat(s.shape("q")).isEqualTo("a | abc | ac | ac |  open");
    }

    @Test
    void restartedMirrorLeavesEvenIfNobodyNoticed() {
        s.up("b", 2);
        assertThat(s.shape("q")).isEqualTo("a | abc | ac | ac |  open");
    }

    @Test
    void restartedLeaderLosesToAnIntactMirror() {
        s.up("a", 2);
        assertThat(s.shape("q")).isEqualTo("b | abc | bc | abc | ");
    }

    @Test
    void restartedLeaderAloneGetsANewEpochBeforeItServes() {
        s.declare("single", true, "a");
        long epoch = s.queue("single").epoch();
        s.up("a", 2);
        assertThat(s.shape("single")).isEqualTo("a | a | a | a | ");
        assertThat(s.queue("single").epoch()).isGreaterThan(epoch);
        assertThat(s.queue("single").lossyEpoch()).isEqualTo(s.queue("single").epoch());
    }

    @Test
    void allRestartedRecoversFromAHolderAndAbandonsTheOthers() {
        s.down("b", 1);
        s.down("c", 1);
        s.down("a", 1);
        // Unclean promotion found nobody alive; the last member stays the only one that may lead.
        assertThat(s.shape("q")).isEqualTo("- | abc | a | a | ");
        s.policy(WHEN_SYNCED);
        s.up("b", 2);
        assertThat(s.queue("q").leader()).isNull();
        s.up("a", 2);
        assertThat(s.shape("q")).isEqualTo("a | abc | a | a | bc");
        assertThat(s.delta.promotions()).extracting(Promotion::kind).containsExactly(Promotion.Kind.RECOVERED);
    }

    @Test
    void holdersStayUntilTheNewLeaderOpens() {
        s.down("a", 1);
        assertThat(s.shape("q")).isEqualTo("b | abc | bc | abc | ");
        s.down("b", 1);
        s.down("c", 1);
        s.policy(WHEN_SYNCED);
        // Nothing was committed since a left, so a may still lead.
        s.up("a", 2);
        assertThat(s.queue("q").leader()).isEqualTo(n("a"));
    }

    @Test
    void intactMemberComesBeforeARestartedHolder() {
        s.up("a", 2);
        assertThat(s.queue("q").leader()).isEqualTo(n("b"));
        s.up("b", 2);
        assertThat(s.queue("q").leader()).isEqualTo(n("c"));
    }

    @Test
    void memberThatComesBackInItsBootLeadsClean() {
        s.policy(WHEN_SYNCED);
        s.down("b", 1);
        s.down("c", 1);
        s.down("a", 1);
        s.up("a", 1);
        assertThat(s.shape("q")).isEqualTo("a | abc | a | a | ");
        assertThat(s.delta.promotions()).extracting(Promotion::kind).containsExactly(Promotion.Kind.CLEAN);
    }

    @Test
    void uncleanPromotionTakesTheLeastBehind() {
        s.shrink("q", "b");
        s.shrink("q", "c");
        s.down("a", 1);
        assertThat(s.shape("q")).isEqualTo("c | abc | c | c | ab");
        assertThat(s.delta.promotions()).extracting(Promotion::kind).containsExactly(Promotion.Kind.UNCLEAN);
        assertThat(s.queue("q").lossyEpoch()).isEqualTo(s.queue("q").epoch());
    }

    @Test
    void whenSyncedWaitsForTheLastMember() {
        s.policy(WHEN_SYNCED);
        s.shrink("q", "b");
        s.shrink("q", "c");
        s.down("a", 1);
        assertThat(s.shape("q")).isEqualTo("- | abc | a | a | ");
        assertThat(s.queue("q").epoch()).isEqualTo(2);
        s.up("b", 2);
        assertThat(s.queue("q").leader()).isNull();
    }

    @Test
    void cleanStopAsksThePolicyForShutdown() {
        s.shrink("q", "b");
        s.shrink("q", "c");
        s.leave("a", 1);
        assertThat(s.queue("q").leader()).isNull();
        // The later start of another node does not turn the stop into a failure.
        s.down("b", 1);
        s.up("b", 1);
        assertThat(s.queue("q").leader()).isNull();
        s.up("a", 2);
        assertThat(s.shape("q")).isEqualTo("a | abc | a | a | bc");
    }

    @Test
    void cleanStopPromotesUnsyncedWhenBothKeysAllowIt() {
        s.policy(ALWAYS);
        s.shrink("q", "b");
        s.shrink("q", "c");
        s.leave("a", 1);
        assertThat(s.queue("q").leader()).isEqualTo(n("c"));
        Scenario t = new Scenario();
        t.up("a", 1);
        t.up("b", 1);
        t.policy(Map.of("ha-mode", "all", "ha-promote-on-shutdown", "always", "ha-promote-on-failure", "when-synced"));
        t.declare("q", true, "a", "b");
        t.shrink("q", "b");
        t.leave("a", 1);
        assertThat(t.queue("q").leader()).isNull();
    }

    @Test
    void nothingLeavesWhileNobodyLeads() {
        s.policy(WHEN_SYNCED);
        s.down("a", 1);
        s.down("b", 1);
        s.down("c", 1);
        assertThat(s.shape("q")).isEqualTo("- | abc | c | abc | ");
    }

    @Test
    void joinNeedsEpochVersionBootAndGeneration() {
        s.shrink("q", "b");
        Join.Step good = s.joinStep("q", "b");
        for (Join.Step bad : List.of(
                new Join.Step(good.incarnation(), n("b"), good.epoch() + 1, good.version(), 1, good.generation()),
                new Join.Step(good.incarnation(), n("b"), good.epoch(), good.version() - 1, 1, good.generation()),
                new Join.Step(good.incarnation(), n("b"), good.epoch(), good.version(), 2, good.generation()),
                new Join.Step(good.incarnation(), n("b"), good.epoch(), good.version(), 1, good.generation() + 1),
                new Join.Step(good.incarnation() + 1, n("b"), good.epoch(), good.version(), 1, good.generation()))) {
            assertThat(s.apply(new Join(List.of(bad))).isRefused())
                    .as("%s", bad)
                    .isTrue();
        }
        assertThat(s.apply(new Join(List.of(good)))).isEqualTo(Outcome.UPDATED);
        assertThat(s.shape("q")).isEqualTo("a | abc | abc | abc |  open");
    }

    @Test
    void restartBetweenProofAndJoinRefusesIt() {
        s.shrink("q", "b");
        Join.Step early = s.joinStep("q", "b");
        s.up("b", 2);
        assertThat(s.apply(new Join(List.of(early))).isRefused()).isTrue();
        assertThat(s.join("q", "b")).isEqualTo(Outcome.UPDATED);
    }

    @Test
    void removedAndAddedReplicaDoesNotJoinWithItsOldProof() {
        s.shrink("q", "b");
        Join.Step early = s.joinStep("q", "b");
        s.remove("q", "b", false);
        s.add("q", "b");
        Join.Step later = s.joinStep("q", "b");
        assertThat(later.generation()).isNotEqualTo(early.generation());
        Join.Step mixed = new Join.Step(
                early.incarnation(), n("b"), later.epoch(), later.version(), later.boot(), early.generation());
        assertThat(s.apply(new Join(List.of(mixed))).isRefused()).isTrue();
        assertThat(s.shape("q")).isEqualTo("a | acb | ac | ac |  open");
    }

    @Test
    void deadOrAbandonedReplicaDoesNotJoin() {
        s.shrink("q", "b");
        s.down("b", 1);
        assertThat(s.join("q", "b").isRefused()).isTrue();
        s.up("b", 1);
        s.shrink("q", "c");
        s.down("a", 1);
        s.open("q");
        assertThat(s.shape("q")).isEqualTo("c | abc | c | c | ab open");
        assertThat(s.join("q", "b").isRefused()).isTrue();
        assertThat(s.merged("q", "b")).isEqualTo(Outcome.UPDATED);
        assertThat(s.join("q", "b")).isEqualTo(Outcome.UPDATED);
    }

    @Test
    void lateShrinkOfAnOlderEpochIsRefused() {
        long epoch = s.queue("q").epoch();
        s.down("a", 1);
        s.up("a", 1);
        long incarnation = s.queue("q").incarnation();
        for (String node : List.of("b", "c")) {
            assertThat(s.apply(new ClusterCommand.Shrink(
                                    List.of(new ClusterCommand.Shrink.Step(incarnation, n(node), epoch))))
                            .isRefused())
                    .isTrue();
        }
        assertThat(s.shrink("q", "b").isRefused())
                .as("the leader cannot be shrunk away")
                .isTrue();
    }

    @Test
    void openIsForOneEpochOnly() {
        long epoch = s.queue("q").epoch();
        s.down("a", 1);
        assertThat(s.apply(new ClusterCommand.Open(List.of(
                                new ClusterCommand.Open.Step(s.queue("q").incarnation(), epoch))))
                        .isRefused())
                .isTrue();
        assertThat(s.open("q")).isEqualTo(Outcome.UPDATED);
        assertThat(s.open("q").isRefused()).isTrue();
    }

    @Test
    void moveGoesToALiveMemberOnlyAndKeepsTheSet() {
        s.shrink("q", "b");
        assertThat(s.move("q", "b").isRefused()).isTrue();
        assertThat(s.move("q", "a").isRefused()).isTrue();
        assertThat(s.move("q", "c")).isEqualTo(Outcome.UPDATED);
        assertThat(s.shape("q")).isEqualTo("c | abc | ac | ac | ");
        assertThat(s.queue("q").epoch()).isEqualTo(2);
    }

    @Test
    void replicaIsNotRemovedBeforeTheLeaderOpenedOrWhileOneIsAbandoned() {
        assertThat(s.remove("q", "a", false).isRefused()).as("the leader stays").isTrue();
        s.move("q", "b");
        assertThat(s.remove("q", "a", false).isRefused()).isTrue();
        s.open("q");
        assertThat(s.remove("q", "a", false)).isEqualTo(Outcome.UPDATED);
        assertThat(s.shape("q")).isEqualTo("b | bc | bc | bc |  open");
        s.shrink("q", "c");
        s.down("b", 1);
        s.open("q");
        assertThat(s.shape("q")).isEqualTo("c | bc | c | c | b open");
        assertThat(s.remove("q", "b", false).isRefused()).isTrue();
        assertThat(s.remove("q", "b", true)).isEqualTo(Outcome.UPDATED);
    }

    @Test
    void wipedLastMemberIsNeverTakenForInSync() {
        s.policy(WHEN_SYNCED);
        s.shrink("q", "b");
        s.shrink("q", "c");
        long generation = s.queue("q").replica(n("a")).generation();
        s.up("a", 2, 1, Set.of());
        assertThat(s.shape("q")).isEqualTo("- | abc |  |  | ");
        assertThat(s.queue("q").replica(n("a")).generation()).isNotEqualTo(generation);
    }

    @Test
    void wipedLastMemberLosesToTheLeastBehind() {
        s.shrink("q", "b");
        s.shrink("q", "c");
        s.up("a", 2, 1, Set.of());
        assertThat(s.shape("q")).isEqualTo("c | abc | c | c | ab");
    }

    @Test
    void damageCountsForItsQueueOnly() {
        s.declare("other", true, "a");
        s.declare("bad", true, "a", "b");
        s.shrink("bad", "b");
        s.up("a", 2, 0, Set.of(s.queue("bad").incarnation()));
        assertThat(s.shape("other")).isEqualTo("a | a | a | a | ");
        assertThat(s.queue("bad").leader()).isEqualTo(n("b"));
    }

    @Test
    void forceLeaderIsForLeaderlessQueues() {
        s.policy(WHEN_SYNCED);
        s.shrink("q", "b");
        s.shrink("q", "c");
        ClusterCommand force = new ClusterCommand.ForceLeader(s.queue("q").incarnation());
        assertThat(s.apply(force).isRefused()).isTrue();
        s.down("a", 1);
        assertThat(s.apply(force)).isEqualTo(Outcome.UPDATED);
        assertThat(s.shape("q")).isEqualTo("c | abc | c | c | ab");
        assertThat(s.delta.promotions()).extracting(Promotion::kind).containsExactly(Promotion.Kind.FORCED);
    }

    @Test
    void queueThatIsNotDurableEndsWithItsLastLiveReplica() {
        s.declare("t", false, "a", "b");
        s.declare("u", false, "a");
        s.down("a", 1);
        assertThat(s.queue("t").leader()).isEqualTo(n("b"));
        assertThat(s.image.placement(q("u"))).isNull();
        assertThat(s.image.definitions().queue(q("u"))).isNull();
        assertThat(s.delta.definitions().queuesDeleted()).hasSize(1);
        s.up("b", 2);
        assertThat(s.image.placement(q("t"))).isNull();
    }

    @Test
    void exclusiveQueueEndsWithTheNodeOfItsOwner() {
        s.declareExclusive("x", "a", 1);
        s.declareExclusive("y", "b", 1);
        assertThat(s.declareExclusive("z", "a", 2).isRefused()).isTrue();
        s.up("a", 2);
        assertThat(s.image.definitions().queue(q("x"))).isNull();
        assertThat(s.image.definitions().queue(q("y"))).isNotNull();
        s.down("b", 1);
        assertThat(s.image.definitions().queue(q("y"))).isNull();
    }

    @Test
    void transientExchangeLivesWhileOneNodeHasBeenUpSince() {
        ExchangeName name = new ExchangeName(Scenario.V, "t");
        s.apply(new ClusterCommand.Define(new DefinitionChange.DeclareExchange(
                new ExchangeDefinition(name, "fanout", false, false, false, Map.of()))));
        s.up("a", 2);
        s.up("b", 2);
        assertThat(s.image.definitions().exchange(name)).isNotNull();
        s.up("c", 2);
        assertThat(s.image.definitions().exchange(name)).isNull();
    }

    @Test
    void nodeUpIsRefusedForAnOldOrTheSameLiveBoot() {
        assertThat(s.up("a", 1).requireRefusal().kind()).isEqualTo(RefusalKind.STALE);
        s.up("a", 3);
        assertThat(s.up("a", 2).isRefused()).isTrue();
        assertThat(s.down("a", 2).isRefused()).isTrue();
        assertThat(s.down("a", 3)).isEqualTo(Outcome.UPDATED);
        assertThat(s.down("a", 3).isRefused()).isTrue();
        assertThat(s.up("a", 3)).isEqualTo(Outcome.UPDATED);
    }

    @Test
    void nodeNumbersAreNeverGivenAgain() {
        int number = s.image.node(n("c")).number();
        s.down("c", 1);
        s.apply(new ClusterCommand.ForgetNode(n("c")));
        s.up("d", 1);
        assertThat(s.image.node(n("d")).number()).isGreaterThan(number);
    }

    @Test
    void forgottenNodeTakesWhatOnlyItHeldAndFreesTheRest() {
        s.declare("only", true, "c");
        s.policy(WHEN_SYNCED);
        s.move("q", "c");
        s.open("q");
        s.shrink("q", "a");
        s.shrink("q", "b");
        assertThat(s.apply(new ClusterCommand.ForgetNode(n("c"))).isRefused()).isTrue();
        s.down("c", 1);
        assertThat(s.queue("q").leader()).isNull();
        s.apply(new ClusterCommand.ForgetNode(n("c")));
        assertThat(s.image.placement(q("only"))).isNull();
        assertThat(s.shape("q")).isEqualTo("b | ab | b | b | a");
    }

    @Test
    void raisedGenerationStartsEpochsAndIncarnationsAnew() {
        assertThat(s.apply(new ClusterCommand.RaiseGeneration(1))).isEqualTo(Outcome.UPDATED);
        assertThat(s.apply(new ClusterCommand.RaiseGeneration(1)).isRefused()).isTrue();
        s.up("a", 2);
        assertThat(s.queue("q").epoch()).isEqualTo((1L << 48) + 1);
        s.declare("r", true, "b");
        assertThat(s.queue("r").incarnation()).isGreaterThan(1L << 48);
    }

    @Test
    void oneCommandCoversAllQueuesOfANode() {
        for (int i = 0; i < 50; i++) {
            s.declare("m" + i, true, "a", "b");
        }
        s.down("a", 1);
        assertThat(s.delta.promotions()).hasSize(51);
        assertThat(s.image.placements().values()).allMatch(each -> n("b").equals(each.leader()));
    }
}
