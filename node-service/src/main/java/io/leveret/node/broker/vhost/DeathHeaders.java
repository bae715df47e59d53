package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.exchange.CopyHeaders;
import io.leveret.node.broker.message.EncodedValue;
import io.leveret.node.broker.message.FieldTableException;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.MessagePropertiesBuilder;
import io.leveret.node.broker.queue.QueueEvent.Reason;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a dead letter says of its deaths. {@code x-death} has one entry per queue and reason, the latest death first, each with a
 * count; {@code x-first-death-*} tell of the first. Pure.
 */
final class DeathHeaders {
    private static final String X_DEATH = "x-death";
    private static final String REJECTED = "rejected";

    private DeathHeaders() {}

    /** A message as it goes to the dead-letter exchange, and its deaths, the latest first. */
    record Dead(Message message, List<Death> deaths) {}

    /**
     * One entry of {@code x-death}.
     *
     * @param fields what can be read in it
     * @param written what is written for it: an entry that came along and is not this death keeps its bytes
     */
    record Death(Map<String, @Nullable Object> fields, Object written) {}

    /** The message as it goes to the dead-letter exchange. Headers that say nothing of deaths keep their bytes. */
    static Dead dead(Message message, QueueName queue, Reason why, DeadLetterTarget target, long nowMillis) {
        MessageProperties properties = MessageProperties.of(message);
        MessagePropertiesBuilder builder = properties.toBuilder().expiration(null);
        Map<String, @Nullable Object> headers = readable(properties, builder);
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        String reason = word(why);
        List<String> keys = CopyHeaders.routingKeys(message.routingKey(), headers);
        List<Death> deaths = deaths(properties, headers);
        add(deaths, entry(message, queue.value(), reason, keys, properties.expiration(), nowMillis));
        changes.put(X_DEATH, deaths.stream().map(Death::written).toList());
        if (!headers.containsKey(X_DEATH)) {
            changes.put("x-first-death-reason", reason);
            changes.put("x-first-death-queue", queue.value());
            changes.put("x-first-death-exchange", message.exchange());
        }
        String key = target.routingKey();
        builder.changeHeaders(key == null ? Set.of() : Set.of(CopyHeaders.CC), changes);
        Message dead = new Message(
                target.exchange(),
                key == null ? message.routingKey() : key,
                builder.toBytes(),
                message.body(),
                message.isPersistent());
        return new Dead(dead, deaths);
    }

    /** What cannot be read is not let in; should it be there all the same, the message goes without it. */
    private static Map<String, @Nullable Object> readable(
            MessageProperties properties, MessagePropertiesBuilder builder) {
        try {
            return properties.headers();
        } catch (FieldTableException e) {
            builder.headers(null);
            return Map.of();
        }
    }

    /**
     * Of a dead letter: the queues where it must not go, as it would go in a circle without any consumer having rejected it on
     * the way. It was there, and has died of nothing else since.
     *
     * @param queues where it would go
     */
    static List<String> circles(Dead dead, Reason why, List<String> queues) {
        return word(why).equals(REJECTED)
                ? List.of()
                : queues.stream()
                        .filter(queue -> isCircle(dead.deaths(), queue))
                        .toList();
    }

    private static boolean isCircle(List<Death> deaths, String queue) {
        for (Death each : deaths) {
            if (REJECTED.equals(each.fields().get("reason"))) {
                return false;
            } else if (queue.equals(each.fields().get("queue"))) {
                return true;
            }
        }
        return false;
    }

    private static String word(Reason why) {
        return switch (why) {
            case EXPIRED -> "expired";
            case OVERFLOW -> "maxlen";
            case DELIVERY_LIMIT -> "delivery_limit";
            default -> REJECTED;
        };
    }

    /** Those that came along; elements that are no tables are not among them. */
    @SuppressWarnings("unchecked") // tables of a decoded header have texts as keys
    private static List<Death> deaths(MessageProperties properties, Map<String, @Nullable Object> headers) {
        List<Death> deaths = new ArrayList<>();
        if (headers.get(X_DEATH) instanceof List<?> list) {
            List<EncodedValue> encoded = properties.headerElements(X_DEATH);
            for (int i = 0; i < list.size(); i++) {
                if (list.get(i) instanceof Map<?, ?> table) {
                    deaths.add(new Death((Map<String, @Nullable Object>) table, encoded.get(i)));
                }
            }
        }
        return deaths;
    }

    private static Map<String, @Nullable Object> entry(
            Message message,
            String queue,
            String reason,
            List<String> keys,
            @Nullable String expiration,
            long nowMillis) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("count", 1L);
        entry.put("reason", reason);
        entry.put("queue", queue);
        entry.put("time", new Date(nowMillis / 1000 * 1000));
        entry.put("exchange", message.exchange());
        entry.put("routing-keys", keys);
        if (expiration != null) {
            entry.put("original-expiration", expiration);
        }
        return entry;
    }

    /** A death of the same kind only grows its count, and comes to the front. */
    private static void add(List<Death> deaths, Map<String, @Nullable Object> entry) {
        for (int i = 0; i < deaths.size(); i++) {
            Map<String, @Nullable Object> known = deaths.get(i).fields();
            if (Objects.equals(entry.get("queue"), known.get("queue"))
                    && Objects.equals(entry.get("reason"), known.get("reason"))) {
                long count = known.get("count") instanceof Number number ? number.longValue() : 1;
                // Only entries that came along have a kind already, and those are encoded.
                EncodedValue grown = ((EncodedValue) deaths.remove(i).written()).withFields(Map.of("count", count + 1));
                deaths.add(0, new Death(known, grown));
                return;
            }
        }
        deaths.add(0, new Death(entry, entry));
    }
}
