package io.leveret.node.broker.definitions;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.DefinitionsImage.ParameterKey;
import io.leveret.node.broker.definitions.DefinitionsImage.TopicKey;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.pcollections.TreePMap;

/**
 * A whole image as bytes: one counted list per kind of definition. Equal images give equal bytes. Carries no check sum of its
 * own: what wraps it does.
 */
public final class ImageCodec {
    private static final int VERSION = 1;

    private ImageCodec() {}

    public static void write(ByteWriter out, DefinitionsImage image) {
        out.u8(VERSION);
        all(out, image.vhosts.values(), Records::write);
        all(out, image.users.values(), Records::write);
        all(out, image.userLimits.entrySet(), (to, entry) -> {
            to.string(entry.getKey().value());
            to.table(entry.getValue());
        });
        nested(out, image.permissions, Records::write);
        nested(out, image.topicPermissions, Records::write);
        nested(out, image.policies, Records::write);
        nested(out, image.operatorPolicies, Records::write);
        nested(out, image.parameters, Records::write);
        all(out, image.globalParameters.entrySet(), (to, entry) -> {
            to.string(entry.getKey());
            to.value(entry.getValue());
        });
        nested(out, image.exchanges, Records::write);
        nested(out, image.queues, (to, queue) -> {
            Records.write(to, queue);
            Records.write(to, image.owners.get(queue.name()));
        });
        all(out, image.bySource.values().stream().flatMap(Collection::stream).toList(), Records::write);
    }

    /** @throws MalformedBytesException when the bytes are no image */
    public static DefinitionsImage read(ByteReader in) {
        int version = in.u8();
        if (version != VERSION) {
            throw new MalformedBytesException("definitions of version " + version);
        }
        try {
            return readFields(in);
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("a definition with an impossible value", e);
        }
    }

    private static DefinitionsImage readFields(ByteReader in) {
        ImageEdit edit = new ImageEdit();
        all(in, Records::vhost, each -> edit.vhosts = edit.vhosts.plus(each.name(), each));
        all(in, Records::user, each -> edit.users = edit.users.plus(each.name(), each));
        all(
                in,
                from -> Map.entry(new UserName(from.string()), from.table()),
                each -> edit.userLimits = edit.userLimits.plus(each.getKey(), each.getValue()));
        all(
                in,
                Records::permission,
                each -> edit.permissions = ImageEdit.plus(edit.permissions, each.vhost(), each.user(), each));
        all(in, Records::topicPermission, each -> {
            TopicKey key = new TopicKey(each.user(), each.exchange());
            edit.topicPermissions = ImageEdit.plus(edit.topicPermissions, each.vhost(), key, each);
        });
        all(
                in,
                Records::policy,
                each -> edit.policies = ImageEdit.plus(edit.policies, each.vhost(), each.name(), each));
        all(
                in,
                Records::policy,
                each -> edit.operatorPolicies = ImageEdit.plus(edit.operatorPolicies, each.vhost(), each.name(), each));
        all(in, Records::parameter, each -> {
            ParameterKey key = new ParameterKey(each.component(), each.name());
            edit.parameters = ImageEdit.plus(edit.parameters, each.vhost(), key, each);
        });
        all(
                in,
                from -> Map.entry(from.string(), Records.present(from)),
                each -> edit.globalParameters = edit.globalParameters.plus(each.getKey(), each.getValue()));
        all(in, Records::exchange, edit::addExchange);
        all(
                in,
                from -> new DefinitionChange.DeclareQueue(Records.queue(from), Records.owner(from)),
                each -> edit.addQueue(each.queue(), each.owner()));
        all(in, Records::binding, edit::addBinding);
        return edit.image();
    }

    private static <T> void all(ByteWriter out, Collection<T> elements, BiConsumer<ByteWriter, T> write) {
        out.varint(elements.size());
        elements.forEach(each -> write.accept(out, each));
    }

    private static <K, T> void nested(
            ByteWriter out, TreePMap<VhostName, TreePMap<K, T>> byVhost, BiConsumer<ByteWriter, T> write) {
        all(
                out,
                byVhost.values().stream()
                        .flatMap(each -> each.values().stream())
                        .toList(),
                write);
    }

    private static <T> void all(ByteReader in, Function<ByteReader, T> read, Consumer<T> add) {
        int count = in.count();
        for (int i = 0; i < count; i++) {
            add.accept(read.apply(in));
        }
    }
}
