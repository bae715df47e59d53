package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The counters of messages as the API shows them: {@code "publish": 7, "publish_details": {"rate": 1.2}}. A counter that
 * does not belong to an object (a channel that never published) is left out, not 0.
 */
public record MessageStats(Map<Counter, Count> counts) {

    /** What is counted, with its word in JSON. */
    public enum Counter {
        ACK("ack"),
        CONFIRM("confirm"),
        DELIVER("deliver"),
        DELIVER_GET("deliver_get"),
        DELIVER_NO_ACK("deliver_no_ack"),
        DISK_READS("disk_reads"),
        DISK_WRITES("disk_writes"),
        DROP_UNROUTABLE("drop_unroutable"),
        GET("get"),
        GET_EMPTY("get_empty"),
        GET_NO_ACK("get_no_ack"),
        PUBLISH("publish"),
        PUBLISH_IN("publish_in"),
        PUBLISH_OUT("publish_out"),
        REDELIVER("redeliver"),
        RETURN_UNROUTABLE("return_unroutable");

        private final String word;

        Counter(String word) {
            this.word = word;
        }

        /** As written in JSON. */
        public String word() {
            return word;
        }
    }

    /** How many since the start, and per second now. */
    public record Count(long total, double perSecond) {
        static final Count NONE = new Count(0, 0.0);
    }

    private static final String DETAILS = "_details";

    public MessageStats {
        counts = counts.isEmpty() ? Map.of() : new EnumMap<>(counts);
    }

    /** Reads the JSON form; words that are not known are left out. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static MessageStats fromJson(Map<String, Object> json) {
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            if (json.get(counter.word) instanceof Number total) {
                counts.put(counter, new Count(total.longValue(), CounterSet.rateOf(json.get(counter.word + DETAILS))));
            }
        }
        return new MessageStats(counts);
    }

    /** The JSON form. */
    @JsonValue
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        counts.forEach((counter, count) -> {
            json.put(counter.word, count.total());
            json.put(counter.word + DETAILS, new Rate(count.perSecond()));
        });
        return json;
    }

    public long total(Counter counter) {
        return Objects.requireNonNullElse(counts.get(counter), Count.NONE).total();
    }

    public double perSecond(Counter counter) {
        return Objects.requireNonNullElse(counts.get(counter), Count.NONE).perSecond();
    }
}
