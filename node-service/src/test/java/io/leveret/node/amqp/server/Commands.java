package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConfirmMethod;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.ExchangeMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.amqp.wire.TxMethod;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.MessagePropertiesBuilder;
import io.leveret.node.broker.message.Property;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a client says, as text: the method, its texts and numbers in their order, the names of the bits that are set, and a
 * table as JSON. {@code queue.declare "a b" durable {"x-expires": 1000}}; {@code publish EXCHANGE KEY mandatory PROPERTIES} with a
 * body ({@code "body"} unless the JSON has another, or {@code empty}); {@code raw HEX}.
 */
final class Commands {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\{.*)|(\\S+)");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Map<String, Class<? extends Method>> CLASSES = Map.of(
            "basic", BasicMethod.class,
            "channel", ChannelMethod.class,
            "confirm", ConfirmMethod.class,
            "connection", ConnectionMethod.class,
            "exchange", ExchangeMethod.class,
            "queue", QueueMethod.class,
            "tx", TxMethod.class);

    private Commands() {}

    static void send(RawClient client, int channel, String text) throws IOException {
        client.raw(bytes(channel, text));
    }

    /** The frames of one command. */
    static byte[] bytes(int channel, String text) {
        List<String> words = new ArrayList<>();
        Map<String, Object> table = Map.of();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            if (matcher.group(2) != null) {
                table = table(matcher.group(2));
            } else {
                words.add(matcher.group(1) == null ? matcher.group(3) : matcher.group(1));
            }
        }
        String name = words.remove(0);
        if (name.equals("raw")) {
            return ByteBufUtil.decodeHexDump(String.join("", words));
        } else if (name.equals("publish")) {
            String body = words.remove("empty") ? "" : (String) table.getOrDefault("body", "body");
            BasicMethod.Publish publish = (BasicMethod.Publish) method("basic.publish", words, Map.of());
            return RawClient.bytes(channel, publish, properties(table), body);
        }
        return RawClient.bytes(channel, method(name, words, table));
    }

    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    private static Map<String, Object> table(String json) {
        return JSON.readValue(json, Map.class);
    }

    private static Method method(String name, List<String> words, Map<String, Object> table) {
        int dot = name.indexOf('.');
        String wanted = name.substring(dot + 1).replace("-", "");
        Class<?> type = Arrays.stream(CLASSES.get(name.substring(0, dot)).getDeclaredClasses())
                .filter(each -> each.getSimpleName().equalsIgnoreCase(wanted))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(name));
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        List<String> left = new ArrayList<>(words);
        for (int i = 0; i < components.length; i++) {
            if (components[i].getType() == boolean.class) {
                String flag = components[i].getName().substring(2);
                values[i] = left.removeIf(word -> word.equalsIgnoreCase(flag));
            }
        }
        for (int i = 0; i < components.length; i++) {
            Class<?> kind = components[i].getType();
            if (kind == Map.class) {
                values[i] = table;
            } else if (kind != boolean.class) {
                values[i] = value(kind, left.isEmpty() ? null : left.remove(0));
            }
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("too many words for " + name + ": " + left);
        }
        return make(type, components, values);
    }

    private static Object value(Class<?> kind, String word) {
        if (kind == String.class) {
            return word == null ? "" : word;
        }
        long number = word == null ? 0 : Long.parseLong(word);
        if (kind == long.class) {
            return number;
        }
        return (int) number;
    }

    private static Method make(Class<?> type, RecordComponent[] components, Object[] values) {
        try {
            var constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return (Method) constructor.newInstance(values);
        } catch (NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked") // headers are a table
    private static byte[] properties(Map<String, Object> json) {
        MessagePropertiesBuilder builder = MessageProperties.builder();
        json.forEach((name, value) -> {
            switch (name) {
                case "body" -> {
                    // it is none of them
                }
                case "headers" -> builder.headers((Map<String, ?>) value);
                case "delivery_mode" -> builder.deliveryMode((int) value);
                case "priority" -> builder.priority((int) value);
                default -> builder.text(Property.valueOf(name.toUpperCase(java.util.Locale.ROOT)), (String) value);
            }
        });
        return builder.toBytes();
    }
}
