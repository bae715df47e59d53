package io.leveret.node.cluster.metadata;

import static io.leveret.node.cluster.metadata.Scenario.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.NodeName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.MalformedBytesException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.QueueOwner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ClusterImageTest {
    private static final UUID STORE = new UUID(7, 9);

    private static OpId op(long boot, long number, long floor) {
        return new OpId(n("a"), STORE, boot, number, floor);
    }

    private static ClusterCommand vhost(String name) {
        return new ClusterCommand.Define(
                new DefinitionChange.PutVhost(new VhostDefinition(new VhostName(name), "", List.of())));
    }

    private static ClusterCommand deleteVhost(String name) {
        return new ClusterCommand.Define(new DefinitionChange.DeleteVhost(new VhostName(name)));
    }

    @Test
    void proposalThatEntersTheLogTwiceTakesEffectOnce() {
        ClusterImage.Applied first = ClusterImage.EMPTY.apply(1, op(1, 1, 1), vhost("v"));
        ClusterImage.Applied second = first.image().apply(2, op(1, 2, 1), deleteVhost("v"));
        ClusterImage.Applied again = second.image().apply(3, op(1, 1, 1), vhost("v"));
        assertThat(again.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(again.delta()).isEqualTo(ClusterDelta.NONE);
        assertThat(again.image().definitions().vhosts()).isEmpty();
        assertThat(again.image().index()).isEqualTo(3);
    }

    @Test
    void resultsSurviveASnapshot() {
        ClusterImage.Applied first = ClusterImage.EMPTY.apply(1, op(1, 1, 1), deleteVhost("none"));
        ClusterImage restored = ImageBytes.decode(ImageBytes.encode(first.image()));
        ClusterImage.Applied again = restored.apply(2, op(1, 1, 1), deleteVhost("none"));
        assertThat(again.outcome()).isEqualTo(first.outcome());
        assertThat(again.outcome().isRefused()).isTrue();
    }

    @Test
    void answeredProposalsAreForgottenAndStayWithoutEffect() {
        ClusterImage image = ClusterImage.EMPTY;
        for (int i = 1; i <= 100; i++) {
            image = image.apply(i, op(1, i, i), vhost("v" + i)).image();
        }
        assertThat(image.results.get(n("a")).byNumber()).hasSize(1);
        assertThat(image.apply(101, op(1, 5, 5), deleteVhost("v7")).outcome()).isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    void resultsOfAClientAreBounded() {
        ClusterImage image = ClusterImage.EMPTY;
        int count = ClusterEdit.RESULTS_PER_CLIENT_MAX + 100;
        for (int i = 1; i <= count; i++) {
            image = image.apply(i, op(1, i, 1), deleteVhost("none")).image();
        }
        assertThat(image.results.get(n("a")).byNumber()).hasSize(ClusterEdit.RESULTS_PER_CLIENT_MAX);
    }

    @Test
    void earlierBootOfAClientHasNoEffectAnyMore() {
        ClusterImage image =
                ClusterImage.EMPTY.apply(1, op(2, 1, 1), vhost("v")).image();
        ClusterImage.Applied late = image.apply(2, op(1, 9, 9), deleteVhost("v"));
        assertThat(late.outcome().isRefused()).isTrue();
        assertThat(late.image().definitions().vhosts()).hasSize(1);
    }

    @Test
    void formingHappensOnce() {
        ClusterCommand form = new ClusterCommand.Form(
                List.of(new DefinitionChange.PutVhost(new VhostDefinition(new VhostName("/"), "", List.of()))));
        ClusterImage image = ClusterImage.EMPTY.apply(1, form).image();
        image = image.apply(2, deleteVhost("/")).image();
        image = image.apply(3, form).image();
        assertThat(image.definitions().vhosts()).isEmpty();
    }

    @Test
    void placementsOfAVhostAreThoseOfNoOther() {
        Scenario s = new Scenario();
        s.up("a", 1);
        s.apply(vhost("v2"));
        s.declare("", true, "a");
        s.declare("q\uffff", true, "a");
        s.apply(new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(
                        new QueueDefinition(io.leveret.model.QueueName.of("v2", "other"), true, false, false, Map.of()),
                        null),
                List.of(n("a"))));
        assertThat(s.image.placements(Scenario.V)).hasSize(2);
        assertThat(s.image.placements(new VhostName("v2"))).hasSize(1);
    }

    /** The same log gives the same bytes, also when a node starts from a snapshot in the middle; and the image stays sane. */
    @Test
    void applyIsDeterministicAndKeepsTheInvariants() {
        long first = Long.getLong("metadata.seed", new Random().nextLong());
        System.out.println("metadata.seed=" + first);
        for (long seed = first; seed < first + 30; seed++) {
            Random random = new Random(seed);
            ClusterImage one = ClusterImage.EMPTY;
            ClusterImage two = ClusterImage.EMPTY;
            for (int index = 1; index <= 400; index++) {
                ClusterCommand command = RandomCommands.next(random, one);
                CommandCodec.Proposal proposal = new CommandCodec.Proposal(op(1, index, index), command);
                CommandCodec.Proposal read = CommandCodec.decode(CommandCodec.encode(proposal));
                ClusterImage before = one;
                one = one.apply(index, proposal.op(), command).image();
                two = two.apply(index, read.op(), read.command()).image();
                String where = "-Dmetadata.seed=" + seed + ", entry " + index + ": " + command;
                RandomCommands.check(before, one, where);
                if (random.nextInt(40) == 0) {
                    two = ImageBytes.decode(ImageBytes.encode(two));
                }
            }
            assertThat(ImageBytes.encode(two)).as("seed %d", seed).isEqualTo(ImageBytes.encode(one));
        }
    }

    /** One of each kind. */
    private static List<ClusterCommand> commands() {
        NodeName b = n("b");
        DefinitionChange.DeclareQueue declare = new DefinitionChange.DeclareQueue(
                new QueueDefinition(Scenario.q("x"), false, true, false, Map.of("x-expires", 1)),
                new QueueOwner(n("a"), 1, 2));
        return List.of(
                vhost("v"),
                new ClusterCommand.Form(List.of(new DefinitionChange.PutPolicy(
                        new PolicyDefinition(Scenario.V, "p", ".", ApplyTo.ALL, 1, Map.of("ha-mode", "all"))))),
                new ClusterCommand.NodeUp(n("a"), 1, STORE, false, Set.of(3L, 200L)),
                new ClusterCommand.NodeUp(b, 1, new UUID(1, 2), false, Set.of()),
                new ClusterCommand.Declare(declare, List.of(n("a"), b)),
                new ClusterCommand.NodeDown(b, 1),
                new ClusterCommand.NodeLeaving(b, 300),
                new ClusterCommand.SetDraining(b, true),
                new ClusterCommand.ForgetNode(n("z")),
                new ClusterCommand.RaiseGeneration(3),
                new ClusterCommand.Open(List.of(new ClusterCommand.Open.Step(1, 1L << 48))),
                new ClusterCommand.Join(List.of(new ClusterCommand.Join.Step(1, b, 2, 3, 4, 5))),
                new ClusterCommand.Shrink(List.of(new ClusterCommand.Shrink.Step(1, b, 2))),
                new ClusterCommand.Move(List.of(new ClusterCommand.Move.Step(1, b, 2, 3))),
                new ClusterCommand.MergeDone(List.of(new ClusterCommand.MergeDone.Step(1, b, 2, 3))),
                new ClusterCommand.AddReplica(List.of(new ClusterCommand.AddReplica.Step(1, b, 2))),
                new ClusterCommand.RemoveReplica(List.of(new ClusterCommand.RemoveReplica.Step(1, b, 2, true))),
                new ClusterCommand.Delete(List.of(1L, 2L)),
                new ClusterCommand.ForceLeader(1),
                new ClusterCommand.Expire(List.of(new ClusterCommand.Expire.Step(1, 2))));
    }

    @Test
    void everyKindOfCommandComesBack() {
        Set<Class<?>> kinds = new java.util.HashSet<>();
        for (ClusterCommand command : commands()) {
            CommandCodec.Proposal proposal = new CommandCodec.Proposal(op(1, 2, 1), command);
            assertThat(CommandCodec.decode(CommandCodec.encode(proposal))).isEqualTo(proposal);
            kinds.add(command.getClass());
        }
        assertThat(kinds).containsExactlyInAnyOrder(ClusterCommand.class.getPermittedSubclasses());
    }

    /** The bytes of a release are read by every later one: a difference here is a new tag or version, never an edit. */
    @Test
    void bytesAreThoseOfTheGoldenFile() throws IOException {
        List<String> lines = new ArrayList<>();
        ClusterImage image = ClusterImage.EMPTY;
        long index = 0;
        for (ClusterCommand command : commands()) {
            OpId op = op(1, ++index, 1);
            lines.add(HexFormat.of().formatHex(CommandCodec.encode(new CommandCodec.Proposal(op, command))));
            image = image.apply(index, op, command).image();
        }
        lines.add(HexFormat.of().formatHex(ImageBytes.encode(image)));
        try (InputStream golden = ClusterImageTest.class.getResourceAsStream("metadata-v1.hex")) {
            assertThat(golden)
                    .as("golden file; expected content:%n%s", String.join("\n", lines))
                    .isNotNull();
            assertThat(new String(golden.readAllBytes(), StandardCharsets.US_ASCII).lines())
                    .containsExactlyElementsOf(lines);
        }
    }

    @Test
    void anyFlippedBitIsFound() {
        byte[] command = CommandCodec.encode(new CommandCodec.Proposal(op(1, 1, 1), vhost("v")));
        byte[] image = ImageBytes.encode(new Scenario().image);
        assertEveryFlipIsFound(command, CommandCodec::decode);
        assertEveryFlipIsFound(image, ImageBytes::decode);
    }

    private static void assertEveryFlipIsFound(byte[] bytes, Function<byte[], ?> decode) {
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 4;
            assertThatThrownBy(() -> decode.apply(damaged)).isInstanceOf(MalformedBytesException.class);
        }
    }
}
