package io.leveret.node.broker.definitions;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.DefinitionChange.Bind;
import io.leveret.node.broker.definitions.DefinitionChange.DeclareExchange;
import io.leveret.node.broker.definitions.DefinitionChange.DeclareQueue;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteExchange;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteGlobalParameter;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteLost;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteOperatorPolicy;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteParameter;
import io.leveret.node.broker.definitions.DefinitionChange.DeletePermission;
import io.leveret.node.broker.definitions.DefinitionChange.DeletePolicy;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteQueue;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteTopicPermission;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteUser;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteVhost;
import io.leveret.node.broker.definitions.DefinitionChange.PutGlobalParameter;
import io.leveret.node.broker.definitions.DefinitionChange.PutOperatorPolicy;
import io.leveret.node.broker.definitions.DefinitionChange.PutParameter;
import io.leveret.node.broker.definitions.DefinitionChange.PutPermission;
import io.leveret.node.broker.definitions.DefinitionChange.PutPolicy;
import io.leveret.node.broker.definitions.DefinitionChange.PutTopicPermission;
import io.leveret.node.broker.definitions.DefinitionChange.PutUser;
import io.leveret.node.broker.definitions.DefinitionChange.PutVhost;
import io.leveret.node.broker.definitions.DefinitionChange.SetUserLimit;
import io.leveret.node.broker.definitions.DefinitionChange.Unbind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Changes as bytes: a tag, then the fields. Carries no version and no check sum of its own: what wraps it has both. A tag is
 * never given to another change, and a change's fields never change: a new form gets a new tag.
 */
public final class ChangeCodec {
    private static final Map<Integer, Layout<?>> BY_TAG = new HashMap<>();
    private static final Map<Class<?>, Layout<?>> BY_CLASS = new HashMap<>();

    static {
        access();
        settings();
        topology();
    }

    private ChangeCodec() {}

    private record Layout<C>(
            int tag, BiConsumer<ByteWriter, C> write, Function<ByteReader, ? extends DefinitionChange> read) {}

    public static void write(ByteWriter out, DefinitionChange change) {
        @SuppressWarnings("unchecked") // the table pairs each class with the form of its own changes
        Layout<DefinitionChange> form =
                (Layout<DefinitionChange>) Objects.requireNonNull(BY_CLASS.get(change.getClass()));
        out.u8(form.tag);
        form.write.accept(out, change);
    }

    /** @throws MalformedBytesException when the bytes are no change */
    public static DefinitionChange read(ByteReader in) {
        int tag = in.u8();
        Layout<?> form = BY_TAG.get(tag);
        if (form == null) {
            throw new MalformedBytesException("no change has tag " + tag);
        }
        try {
            return form.read.apply(in);
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("a change with an impossible value", e);
        }
    }

    private static <C extends DefinitionChange> void form(
            int tag, Class<C> type, BiConsumer<ByteWriter, C> write, Function<ByteReader, C> read) {
        Layout<C> form = new Layout<>(tag, write, read);
        BY_TAG.put(tag, form);
        BY_CLASS.put(type, form);
    }

    private static void access() {
        form(1, PutVhost.class, (out, c) -> Records.write(out, c.vhost()), in -> new PutVhost(Records.vhost(in)));
        form(2, DeleteVhost.class, (out, c) -> out.string(c.vhost().value()), in -> new DeleteVhost(vhost(in)));
        form(3, PutUser.class, (out, c) -> Records.write(out, c.user()), in -> new PutUser(Records.user(in)));
        form(4, DeleteUser.class, (out, c) -> out.string(c.user().value()), in -> new DeleteUser(user(in)));
        form(
                5,
                SetUserLimit.class,
                (out, c) -> {
                    out.string(c.user().value());
                    out.string(c.limit());
                    out.value(c.value());
                },
                in -> new SetUserLimit(user(in), in.string(), in.value() instanceof Long value ? value : null));
        form(
                6,
                PutPermission.class,
                (out, c) -> Records.write(out, c.permission()),
                in -> new PutPermission(Records.permission(in)));
        form(
                7,
                DeletePermission.class,
                (out, c) -> {
                    out.string(c.user().value());
                    out.string(c.vhost().value());
                },
                in -> new DeletePermission(user(in), vhost(in)));
        form(
                8,
                PutTopicPermission.class,
                (out, c) -> Records.write(out, c.permission()),
                in -> new PutTopicPermission(Records.topicPermission(in)));
        form(
                9,
                DeleteTopicPermission.class,
                (out, c) -> {
                    out.string(c.user().value());
                    out.string(c.vhost().value());
                    out.optionalString(c.exchange());
                },
                in -> new DeleteTopicPermission(user(in), vhost(in), in.optionalString()));
    }

    private static void settings() {
        form(20, PutPolicy.class, (out, c) -> Records.write(out, c.policy()), in -> new PutPolicy(Records.policy(in)));
        form(
                21,
                DeletePolicy.class,
                (out, c) -> writeNamed(out, c.vhost(), c.name()),
                in -> new DeletePolicy(vhost(in), in.string()));
        form(
                22,
                PutOperatorPolicy.class,
                (out, c) -> Records.write(out, c.policy()),
                in -> new PutOperatorPolicy(Records.policy(in)));
        form(
                23,
                DeleteOperatorPolicy.class,
                (out, c) -> writeNamed(out, c.vhost(), c.name()),
                in -> new DeleteOperatorPolicy(vhost(in), in.string()));
        form(
                24,
                PutParameter.class,
                (out, c) -> Records.write(out, c.parameter()),
                in -> new PutParameter(Records.parameter(in)));
        form(
                25,
                DeleteParameter.class,
                (out, c) -> {
                    writeNamed(out, c.vhost(), c.component());
                    out.string(c.name());
                },
                in -> new DeleteParameter(vhost(in), in.string(), in.string()));
        form(
                26,
                PutGlobalParameter.class,
                (out, c) -> {
                    out.string(c.name());
                    out.value(c.value());
                },
                in -> new PutGlobalParameter(in.string(), Records.present(in)));
        form(
                27,
                DeleteGlobalParameter.class,
                (out, c) -> out.string(c.name()),
                in -> new DeleteGlobalParameter(in.string()));
    }

    private static void topology() {
        form(
                40,
                DeclareExchange.class,
                (out, c) -> Records.write(out, c.exchange()),
                in -> new DeclareExchange(Records.exchange(in)));
        form(
                41,
                DeleteExchange.class,
                (out, c) -> {
                    writeNamed(out, c.exchange().vhost(), c.exchange().value());
                    out.bool(c.ifUnused());
                },
                in -> new DeleteExchange(new ExchangeName(vhost(in), in.string()), in.bool()));
        form(42, Bind.class, (out, c) -> Records.write(out, c.binding()), in -> new Bind(Records.binding(in)));
        form(43, Unbind.class, (out, c) -> Records.write(out, c.binding()), in -> new Unbind(Records.binding(in)));
        form(
                44,
                DeclareQueue.class,
                (out, c) -> {
                    Records.write(out, c.queue());
                    Records.write(out, c.owner());
                },
                in -> new DeclareQueue(Records.queue(in), Records.owner(in)));
        form(
                45,
                DeleteQueue.class,
                (out, c) -> writeNamed(out, c.queue().vhost(), c.queue().value()),
                in -> new DeleteQueue(new QueueName(vhost(in), in.string())));
        form(
                46,
                DeleteLost.class,
                (out, c) -> {
                    out.varint(c.queues().size());
                    c.queues().forEach(each -> writeNamed(out, each.vhost(), each.value()));
                    out.varint(c.exchanges().size());
                    c.exchanges().forEach(each -> writeNamed(out, each.vhost(), each.value()));
                },
                in -> new DeleteLost(
                        list(in, each -> new QueueName(vhost(each), each.string())),
                        list(in, each -> new ExchangeName(vhost(each), each.string()))));
    }

    private static <T> List<T> list(ByteReader in, Function<ByteReader, T> element) {
        return Records.list(in, element);
    }

    private static void writeNamed(ByteWriter out, VhostName vhost, String name) {
        out.string(vhost.value());
        out.string(name);
    }

    private static VhostName vhost(ByteReader in) {
        return new VhostName(in.string());
    }

    private static UserName user(ByteReader in) {
        return new UserName(in.string());
    }
}
