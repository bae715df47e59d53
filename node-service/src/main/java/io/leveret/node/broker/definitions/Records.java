package io.leveret.node.broker.definitions;

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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The bytes of single definitions: the fields in the order of the record. Shared by changes and images. */
final class Records {
    private static final int FIRST_CAPACITY_MAX = 1024;

    private Records() {}

    static <T> List<T> list(ByteReader in, Function<ByteReader, T> element) {
        int count = in.count();
        List<T> list = new ArrayList<>(Math.min(count, FIRST_CAPACITY_MAX));
        for (int i = 0; i < count; i++) {
            list.add(element.apply(in));
        }
        return List.copyOf(list);
    }

    static Object present(ByteReader in) {
        Object value = in.value();
        if (value == null) {
            throw new MalformedBytesException("no value where one must be");
        }
        return value;
    }

    private static void strings(ByteWriter out, List<String> strings) {
        out.varint(strings.size());
        strings.forEach(out::string);
    }

    static void write(ByteWriter out, VhostDefinition vhost) {
        out.string(vhost.name().value());
        out.string(vhost.description());
        strings(out, vhost.tags());
    }

    static VhostDefinition vhost(ByteReader in) {
        return new VhostDefinition(new VhostName(in.string()), in.string(), list(in, ByteReader::string));
    }

    static void write(ByteWriter out, UserDefinition user) {
        out.string(user.name().value());
        out.string(user.passwordHash());
        out.string(user.hashingAlgorithm());
        strings(out, user.tags());
    }

    static UserDefinition user(ByteReader in) {
        return new UserDefinition(new UserName(in.string()), in.string(), in.string(), list(in, ByteReader::string));
    }

    static void write(ByteWriter out, PermissionDefinition permission) {
        out.string(permission.user().value());
        out.string(permission.vhost().value());
        out.string(permission.configure());
        out.string(permission.write());
        out.string(permission.read());
    }

    static PermissionDefinition permission(ByteReader in) {
        return new PermissionDefinition(
                new UserName(in.string()), new VhostName(in.string()), in.string(), in.string(), in.string());
    }

    static void write(ByteWriter out, TopicPermissionDefinition permission) {
        out.string(permission.user().value());
        out.string(permission.vhost().value());
        out.string(permission.exchange());
        out.string(permission.write());
        out.string(permission.read());
    }

    static TopicPermissionDefinition topicPermission(ByteReader in) {
        return new TopicPermissionDefinition(
                new UserName(in.string()), new VhostName(in.string()), in.string(), in.string(), in.string());
    }

    static void write(ByteWriter out, PolicyDefinition policy) {
        out.string(policy.vhost().value());
        out.string(policy.name());
        out.string(policy.pattern());
        out.u8(policy.applyTo().ordinal());
        out.i32(policy.priority());
        out.table(policy.definition());
    }

    static PolicyDefinition policy(ByteReader in) {
        return new PolicyDefinition(
                new VhostName(in.string()),
                in.string(),
                in.string(),
                in.constant(ApplyTo.values()),
                in.i32(),
                in.table());
    }

    static void write(ByteWriter out, ParameterDefinition parameter) {
        out.string(parameter.vhost().value());
        out.string(parameter.component());
        out.string(parameter.name());
        out.value(parameter.value());
    }

    static ParameterDefinition parameter(ByteReader in) {
        return new ParameterDefinition(new VhostName(in.string()), in.string(), in.string(), present(in));
    }

    static void write(ByteWriter out, ExchangeDefinition exchange) {
        out.string(exchange.name().vhost().value());
        out.string(exchange.name().value());
        out.string(exchange.type());
        out.bool(exchange.isDurable());
        out.bool(exchange.isAutoDelete());
        out.bool(exchange.isInternal());
        out.table(exchange.arguments());
    }

    static ExchangeDefinition exchange(ByteReader in) {
        return new ExchangeDefinition(
                new ExchangeName(new VhostName(in.string()), in.string()),
                in.string(),
                in.bool(),
                in.bool(),
                in.bool(),
                in.table());
    }

    static void write(ByteWriter out, QueueDefinition queue) {
        out.string(queue.name().vhost().value());
        out.string(queue.name().value());
        out.bool(queue.isDurable());
        out.bool(queue.isExclusive());
        out.bool(queue.isAutoDelete());
        out.table(queue.arguments());
    }

    static QueueDefinition queue(ByteReader in) {
        return new QueueDefinition(
                new QueueName(new VhostName(in.string()), in.string()), in.bool(), in.bool(), in.bool(), in.table());
    }

    static void write(ByteWriter out, @Nullable QueueOwner owner) {
        out.bool(owner != null);
        if (owner != null) {
            out.string(owner.node().value());
            out.varint(owner.boot());
            out.varint(owner.connection());
        }
    }

    static @Nullable QueueOwner owner(ByteReader in) {
        return in.bool() ? new QueueOwner(new NodeName(in.string()), in.varint(), in.varint()) : null;
    }

    static void write(ByteWriter out, BindingDefinition binding) {
        out.string(binding.source().vhost().value());
        out.string(binding.source().value());
        out.u8(binding.destination().kind().ordinal());
        out.string(binding.destination().name());
        out.string(binding.bindingKey());
        out.table(binding.arguments());
    }

    static BindingDefinition binding(ByteReader in) {
        return new BindingDefinition(
                new ExchangeName(new VhostName(in.string()), in.string()),
                new Destination(in.constant(Kind.values()), in.string()),
                in.string(),
                in.table());
    }
}
