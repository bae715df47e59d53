package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.exchange.CopyHeaders;
import io.leveret.node.broker.message.FieldTableException;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.QueueEvent.Reason;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a dead letter says of its deaths. {@code x-death} has one entry per queue and reason, the latest death first, each with a
 * count; {@code x-first-death-*} tell of the first. Pure.
 */
final class DeathHeaders {
    private static final String X_DEATH = "x-death";
    private static final String REJECTED = "rejected";

    private DeathHeaders() {}

    /** The message as it goes to the dead-letter exchange. */
    static Message dead(Message message, QueueName queue, Reason why, DeadLetterTarget target, long nowMillis) {
        MessageProperties properties = MessageProperties.of(message);
        Map<String, @Nullable Object> headers = new HashMap<>(readable(properties));
        String reason = word(why);
        if (!headers.containsKey(X_DEATH)) {
            headers.put("x-first-death-reason", reason);
            headers.put("x-first-death-queue", queue.value());
            headers.put("x-first-death-exchange", message.exchange());
        }
        List<String> keys = CopyHeaders.routingKeys(message.routingKey(), headers);
        List<Map<String, @Nullable Object>> deaths = deaths(headers.get(X_DEATH));
        add(deaths, entry(message, queue.value(), reason, keys, properties.expiration(), nowMillis));
        headers.put(X_DEATH, deaths);
        String key = target.routingKey();
        if (key != null) {
            headers.remove("CC");
        }
        return new Message(
                target.exchange(),
                key == null ? message.routingKey() : key,
                properties.toBuilder().headers(headers).expiration(null).toBytes(),
                message.body(),
                message.isPersistent());
    }

    /** What cannot be read is not let in; should it be there all the same, the message goes without it. */
    private static Map<String, @Nullable Object> readable(MessageProperties properties) {
        try {
            return properties.headers();
        } catch (FieldTableException e) {
            return Map.of();
        }
    }

    /**
     * Of a dead letter: the queues where it must not go, as it would go in a circle without any consumer having rejected it on
     * the way. It was there, and has died of nothing else since.
     *
     * @param queues where it would go
     */
    static List<String> circles(Message dead, Reason why, List<String> queues) {
        if (word(why).equals(REJECTED)) {
            return List.of();
        }
        List<Map<String, @Nullable Object>> deaths =
                deaths(MessageProperties.of(dead).headers().get(X_DEATH));
        return queues.stream().filter(queue -> isCircle(deaths, queue)).toList();
    }

    private static boolean isCircle(List<Map<String, @Nullable Object>> deaths, String queue) {
        for (Map<String, @Nullable Object> each : deaths) {
            if (REJECTED.equals(each.get("reason"))) {
                return false;
            } else if (queue.equals(each.get("queue"))) {
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

    @SuppressWarnings("unchecked") // tables of a decoded header have texts as keys
    private static List<Map<String, @Nullable Object>> deaths(@Nullable Object header) {
        List<Map<String, @Nullable Object>> deaths = new ArrayList<>();
        if (header instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> table) {
                    deaths.add(new LinkedHashMap<>((Map<String, @Nullable Object>) table));
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
    private static void add(List<Map<String, @Nullable Object>> deaths, Map<String, @Nullable Object> entry) {
        for (int i = 0; i < deaths.size(); i++) {
            Map<String, @Nullable Object> known = deaths.get(i);
            if (Objects.equals(entry.get("queue"), known.get("queue"))
                    && Objects.equals(entry.get("reason"), known.get("reason"))) {
                long count = known.get("count") instanceof Number number ? number.longValue() : 1;
                known.put("count", count + 1);
                deaths.add(0, deaths.remove(i));
                return;
            }
        }
        deaths.add(0, entry);
    }
}
