package io.leveret.node.broker.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodecTest {
    private static final VhostName V = new VhostName("v");
    private static final UserName U = new UserName("u");
    private static final QueueName Q = new QueueName(V, "q");
    private static final ExchangeName X = new ExchangeName(V, "x");
    private static final Map<String, Object> TABLE = Map.ofEntries(
            Map.entry("bool", true),
            Map.entry("bytes", new byte[] {1, -1}),
            Map.entry("byte", (byte) -3),
            Map.entry("short", (short) -300),
            Map.entry("int", 70_000),
            Map.entry("long", Long.MIN_VALUE),
            Map.entry("float", 1.5f),
            Map.entry("double", -2.5),
            Map.entry("decimal", new BigDecimal("12.345")),
            Map.entry("date", new Date(86_400_000)),
            Map.entry("text", "hä€"),
            Map.entry("list", Arrays.asList("a", null, List.of(1L))),
            Map.entry("table", Map.of("inner", Map.of("x", 1))));

    /** One of each kind, applicable in this order. */
    private static List<DefinitionChange> changes() {
        BindingDefinition binding = new BindingDefinition(X, new Destination(Kind.QUEUE, "q"), "key", TABLE);
        PolicyDefinition policy = new PolicyDefinition(
                V, "p", "^q", ApplyTo.QUEUES, -1, Map.of("ha-mode", "nodes", "ha-params", List.of("a")));
        return List.of(
                new DefinitionChange.PutVhost(new VhostDefinition(V, "text", List.of("tag"))),
                new DefinitionChange.PutUser(new UserDefinition(U, "hash", "sha", List.of("administrator"))),
                new DefinitionChange.SetUserLimit(U, "max-connections", 3L),
                new DefinitionChange.PutPermission(new PermissionDefinition(U, V, "c", "w", "r")),
                new DefinitionChange.PutTopicPermission(new TopicPermissionDefinition(U, V, "amq.topic", "w", "r")),
                new DefinitionChange.PutPolicy(policy),
                new DefinitionChange.PutOperatorPolicy(policy),
                new DefinitionChange.PutParameter(new ParameterDefinition(V, "shovel", "s", TABLE)),
                new DefinitionChange.PutGlobalParameter(DefinitionsImage.CLUSTER_NAME, "rabbit@home"),
                new DefinitionChange.DeclareExchange(new ExchangeDefinition(X, "topic", true, false, true, TABLE)),
                new DefinitionChange.DeclareQueue(new QueueDefinition(Q, true, false, true, TABLE), null),
                new DefinitionChange.DeclareQueue(
                        new QueueDefinition(new QueueName(V, "mine"), false, true, false, Map.of()),
                        new QueueOwner(new NodeName("n"), 2, 9)),
                new DefinitionChange.Bind(binding),
                new DefinitionChange.Unbind(binding),
                new DefinitionChange.DeleteQueue(Q),
                new DefinitionChange.DeleteExchange(X, true),
                new DefinitionChange.DeleteLost(List.of(Q), List.of(X)),
                new DefinitionChange.DeleteGlobalParameter("g"),
                new DefinitionChange.DeleteParameter(V, "shovel", "s"),
                new DefinitionChange.DeleteOperatorPolicy(V, "p"),
                new DefinitionChange.DeletePolicy(V, "p"),
                new DefinitionChange.DeleteTopicPermission(U, V, null),
                new DefinitionChange.DeletePermission(U, V),
                new DefinitionChange.SetUserLimit(U, "max-connections", null),
                new DefinitionChange.DeleteUser(U),
                new DefinitionChange.DeleteVhost(V));
    }

    private static byte[] encoded(DefinitionChange change) {
        ByteWriter out = new ByteWriter();
        ChangeCodec.write(out, change);
        return out.toByteArray();
    }

    @Test
    void everyKindOfChangeComesBack() {
        List<Class<?>> kinds = new ArrayList<>();
        for (DefinitionChange change : changes()) {
            byte[] bytes = encoded(change);
            ByteReader in = new ByteReader(bytes);
            DefinitionChange back = ChangeCodec.read(in);
            in.end();
            assertThat(back).hasSameClassAs(change);
            assertThat(encoded(back)).isEqualTo(bytes);
            if (!kinds.contains(change.getClass())) {
                kinds.add(change.getClass());
            }
        }
        assertThat(kinds).containsExactlyInAnyOrder(DefinitionChange.class.getPermittedSubclasses());
    }

    @Test
    void valuesKeepTheirTypes() {
        ByteWriter out = new ByteWriter();
        out.table(TABLE);
        Map<String, Object> back = new ByteReader(out.toByteArray()).table();
        assertThat(back).usingRecursiveComparison().isEqualTo(TABLE);
        assertThat(back.get("byte")).isEqualTo((byte) -3);
        assertThat(back.get("short")).isEqualTo((short) -300);
    }

    @Test
    void imageComesBackAtEveryStep() {
        DefinitionsImage image = DefinitionsImage.EMPTY;
        for (DefinitionChange change : changes()) {
            DefinitionChange.Applied applied = change.applyTo(image);
            assertThat(applied.outcome().isRefused())
                    .as("%s", applied)
                    .isEqualTo(change instanceof DefinitionChange.DeleteGlobalParameter);
            image = applied.image();
            byte[] bytes = encoded(image);
            ByteReader in = new ByteReader(bytes);
            DefinitionsImage back = ImageCodec.read(in);
            in.end();
            assertThat(encoded(back)).isEqualTo(bytes);
        }
    }

    private static byte[] encoded(DefinitionsImage image) {
        ByteWriter out = new ByteWriter();
        ImageCodec.write(out, image);
        return out.toByteArray();
    }

    /** The bytes of a release are read by every later one: a difference here is a new tag or version, never an edit. */
    @Test
    void bytesAreThoseOfTheGoldenFile() throws IOException {
        List<String> lines = new ArrayList<>();
        DefinitionsImage image = DefinitionsImage.EMPTY;
        for (DefinitionChange change : changes().subList(0, 13)) {
            lines.add(HexFormat.of().formatHex(encoded(change)));
            image = change.applyTo(image).image();
        }
        for (DefinitionChange change : changes().subList(13, changes().size())) {
            lines.add(HexFormat.of().formatHex(encoded(change)));
        }
        lines.add(HexFormat.of().formatHex(encoded(image)));
        try (InputStream golden = CodecTest.class.getResourceAsStream("definitions-v1.hex")) {
            assertThat(golden)
                    .as("golden file; expected content:%n%s", String.join("\n", lines))
                    .isNotNull();
            assertThat(new String(golden.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII).lines())
                    .containsExactlyElementsOf(lines);
        }
    }

    @Test
    void damagedBytesEndInTheOneException() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<byte[]> samples =
                new ArrayList<>(changes().stream().map(CodecTest::encoded).toList());
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            try {
                ChangeCodec.read(new ByteReader(random.nextBoolean() ? bytes : cut));
            } catch (MalformedBytesException expected) {
                continue;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + " round " + round, e);
            }
        }
    }

    @Test
    void checkSumFindsAFlippedBit() {
        ByteWriter out = new ByteWriter();
        out.string("text");
        byte[] sealed = out.sealed();
        assertThat(ByteReader.ofSealed(sealed).string()).isEqualTo("text");
        sealed[2] ^= 1;
        assertThatThrownBy(() -> ByteReader.ofSealed(sealed)).isInstanceOf(MalformedBytesException.class);
    }

    @Test
    void nestingIsBounded() {
        Object value = "end";
        for (int i = 0; i < 131; i++) {
            value = List.of(value);
        }
        Object deep = value;
        assertThatThrownBy(() -> new ByteWriter().value(deep)).isInstanceOf(MalformedBytesException.class);
        ByteWriter out = new ByteWriter();
        for (int i = 0; i < 131; i++) {
            out.u8(13);
            out.varint(1);
        }
        out.u8(0);
        assertThatThrownBy(() -> new ByteReader(out.toByteArray()).value()).isInstanceOf(MalformedBytesException.class);
    }
}
