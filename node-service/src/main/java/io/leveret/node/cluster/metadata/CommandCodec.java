package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.ByteReader;
import io.leveret.node.broker.definitions.ByteWriter;
import io.leveret.node.broker.definitions.ChangeCodec;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.MalformedBytesException;
import io.leveret.node.cluster.metadata.ClusterCommand.AddReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.Declare;
import io.leveret.node.cluster.metadata.ClusterCommand.Define;
import io.leveret.node.cluster.metadata.ClusterCommand.Delete;
import io.leveret.node.cluster.metadata.ClusterCommand.Expire;
import io.leveret.node.cluster.metadata.ClusterCommand.ForceLeader;
import io.leveret.node.cluster.metadata.ClusterCommand.ForgetNode;
import io.leveret.node.cluster.metadata.ClusterCommand.Form;
import io.leveret.node.cluster.metadata.ClusterCommand.Join;
import io.leveret.node.cluster.metadata.ClusterCommand.MergeDone;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeDown;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeLeaving;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeUp;
import io.leveret.node.cluster.metadata.ClusterCommand.Open;
import io.leveret.node.cluster.metadata.ClusterCommand.RaiseGeneration;
import io.leveret.node.cluster.metadata.ClusterCommand.RemoveReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.SetDraining;
import io.leveret.node.cluster.metadata.ClusterCommand.Shrink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Log entries as bytes: a version, who proposes, a tag, the command's fields, CRC-32C. A tag is never given to another command,
 * and a command's fields never change: a new form gets a new tag.
 */
final class CommandCodec {
    private static final int VERSION = 1;
    private static final int FIRST_CAPACITY_MAX = 1024;
    private static final Map<Integer, Layout<?>> BY_TAG = new HashMap<>();
    private static final Map<Class<?>, Layout<?>> BY_CLASS = new HashMap<>();

    static {
        cluster();
        leadership();
        placement();
    }

    private CommandCodec() {}

    /** A command and who proposes it. */
    record Proposal(OpId op, ClusterCommand command) {}

    private record Layout<C>(
            int tag, BiConsumer<ByteWriter, C> write, Function<ByteReader, ? extends ClusterCommand> read) {}

    static byte[] encode(Proposal proposal) {
        ByteWriter out = new ByteWriter();
        out.u8(VERSION);
        OpId op = proposal.op();
        out.string(op.node().value());
        ImageBytes.writeUuid(out, op.storeId());
        out.varint(op.boot());
        out.varint(op.number());
        out.varint(op.floor());
        write(out, proposal.command());
        return out.sealed();
    }

    /** @throws MalformedBytesException when the bytes are no log entry of this version */
    static Proposal decode(byte[] bytes) {
        ByteReader in = ByteReader.ofSealed(bytes);
        int version = in.u8();
        if (version != VERSION) {
            throw new MalformedBytesException("a command of version " + version);
        }
        try {
            OpId op = new OpId(node(in), ImageBytes.uuid(in), in.varint(), in.varint(), in.varint());
            Proposal proposal = new Proposal(op, read(in));
            in.end();
            return proposal;
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("a command with an impossible value", e);
        }
    }

    private static void write(ByteWriter out, ClusterCommand command) {
        @SuppressWarnings("unchecked") // the table pairs each class with the form of its own commands
        Layout<ClusterCommand> form = (Layout<ClusterCommand>) Objects.requireNonNull(BY_CLASS.get(command.getClass()));
        out.u8(form.tag);
        form.write.accept(out, command);
    }

    private static ClusterCommand read(ByteReader in) {
        int tag = in.u8();
        Layout<?> form = BY_TAG.get(tag);
        if (form == null) {
            throw new MalformedBytesException("no command has tag " + tag);
        }
        return form.read.apply(in);
    }

    private static <C extends ClusterCommand> void form(
            int tag, Class<C> type, BiConsumer<ByteWriter, C> write, Function<ByteReader, C> read) {
        Layout<C> form = new Layout<>(tag, write, read);
        BY_TAG.put(tag, form);
        BY_CLASS.put(type, form);
    }

    private static void cluster() {
        form(1, Define.class, (out, c) -> ChangeCodec.write(out, c.change()), in -> new Define(ChangeCodec.read(in)));
        form(
                2,
                Declare.class,
                (out, c) -> {
                    ChangeCodec.write(out, c.change());
                    list(out, c.replicas(), (to, each) -> to.string(each.value()));
                },
                CommandCodec::declare);
        form(
                3,
                Form.class,
                (out, c) -> list(out, c.changes(), ChangeCodec::write),
                in -> new Form(list(in, ChangeCodec::read)));
        form(
                4,
                NodeUp.class,
                (out, c) -> {
                    out.string(c.node().value());
                    out.varint(c.boot());
                    ImageBytes.writeUuid(out, c.storeId());
                    out.bool(c.isWitness());
                    list(out, c.damaged().stream().sorted().toList(), ByteWriter::varint);
                },
                in -> new NodeUp(
                        node(in),
                        in.varint(),
                        ImageBytes.uuid(in),
                        in.bool(),
                        new LinkedHashSet<>(list(in, ByteReader::varint))));
        form(
                5,
                NodeDown.class,
                (out, c) -> nodeBoot(out, c.node(), c.boot()),
                in -> new NodeDown(node(in), in.varint()));
        form(
                6,
                NodeLeaving.class,
                (out, c) -> nodeBoot(out, c.node(), c.boot()),
                in -> new NodeLeaving(node(in), in.varint()));
        form(
                7,
                SetDraining.class,
                (out, c) -> {
                    out.string(c.node().value());
                    out.bool(c.isDraining());
                },
                in -> new SetDraining(node(in), in.bool()));
        form(8, ForgetNode.class, (out, c) -> out.string(c.node().value()), in -> new ForgetNode(node(in)));
        form(
                9,
                RaiseGeneration.class,
                (out, c) -> out.varint(c.generation()),
                in -> new RaiseGeneration(in.intVarint()));
    }

    private static void leadership() {
        form(
                20,
                Open.class,
                (out, c) -> list(out, c.steps(), (to, s) -> numbers(to, s.incarnation(), s.epoch())),
                in -> new Open(list(in, from -> new Open.Step(from.varint(), from.varint()))));
        form(
                21,
                Join.class,
                (out, c) -> list(out, c.steps(), (to, s) -> {
                    to.varint(s.incarnation());
                    to.string(s.node().value());
                    numbers(to, s.epoch(), s.version(), s.boot(), s.generation());
                }),
                in -> new Join(list(
                        in,
                        from -> new Join.Step(
                                from.varint(),
                                node(from),
                                from.varint(),
                                from.varint(),
                                from.varint(),
                                from.varint()))));
        form(
                22,
                Shrink.class,
                (out, c) -> list(out, c.steps(), (to, s) -> step(to, s.incarnation(), s.node(), s.epoch())),
                in -> new Shrink(list(in, from -> new Shrink.Step(from.varint(), node(from), from.varint()))));
        form(
                23,
                Move.class,
                (out, c) -> list(out, c.steps(), (to, s) -> step(to, s.incarnation(), s.to(), s.epoch(), s.version())),
                in -> new Move(
                        list(in, from -> new Move.Step(from.varint(), node(from), from.varint(), from.varint()))));
        form(
                24,
                MergeDone.class,
                (out, c) ->
                        list(out, c.steps(), (to, s) -> step(to, s.incarnation(), s.node(), s.epoch(), s.version())),
                in -> new MergeDone(
                        list(in, from -> new MergeDone.Step(from.varint(), node(from), from.varint(), from.varint()))));
    }

    private static void placement() {
        form(
                25,
                AddReplica.class,
                (out, c) -> list(out, c.steps(), (to, s) -> step(to, s.incarnation(), s.node(), s.version())),
                in -> new AddReplica(list(in, from -> new AddReplica.Step(from.varint(), node(from), from.varint()))));
        form(
                26,
                RemoveReplica.class,
                (out, c) -> list(out, c.steps(), (to, s) -> {
                    step(to, s.incarnation(), s.node(), s.version());
                    to.bool(s.isForced());
                }),
                in -> new RemoveReplica(list(
                        in, from -> new RemoveReplica.Step(from.varint(), node(from), from.varint(), from.bool()))));
        form(
                27,
                Delete.class,
                (out, c) -> list(out, c.incarnations(), ByteWriter::varint),
                in -> new Delete(list(in, ByteReader::varint)));
        form(28, ForceLeader.class, (out, c) -> out.varint(c.incarnation()), in -> new ForceLeader(in.varint()));
        form(
                29,
                Expire.class,
                (out, c) -> list(out, c.steps(), (to, s) -> numbers(to, s.incarnation(), s.epoch())),
                in -> new Expire(list(in, from -> new Expire.Step(from.varint(), from.varint()))));
    }

    private static Declare declare(ByteReader in) {
        if (ChangeCodec.read(in) instanceof DefinitionChange.DeclareQueue change) {
            return new Declare(change, list(in, CommandCodec::node));
        }
        throw new MalformedBytesException("a declaration of something else than a queue");
    }

    private static void nodeBoot(ByteWriter out, NodeName node, long boot) {
        out.string(node.value());
        out.varint(boot);
    }

    private static void step(ByteWriter out, long incarnation, NodeName node, long... rest) {
        out.varint(incarnation);
        out.string(node.value());
        numbers(out, rest);
    }

    private static void numbers(ByteWriter out, long... numbers) {
        for (long each : numbers) {
            out.varint(each);
        }
    }

    private static NodeName node(ByteReader in) {
        return new NodeName(in.string());
    }

    private static <T> void list(ByteWriter out, Collection<T> elements, BiConsumer<ByteWriter, T> write) {
        out.varint(elements.size());
        elements.forEach(each -> write.accept(out, each));
    }

    private static <T> List<T> list(ByteReader in, Function<ByteReader, T> element) {
        int count = in.count();
        List<T> list = new ArrayList<>(Math.min(count, FIRST_CAPACITY_MAX));
        for (int i = 0; i < count; i++) {
            list.add(element.apply(in));
        }
        return List.copyOf(list);
    }
}
