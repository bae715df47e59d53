package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.leveret.model.view.MessageStats.Count;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counters by name, written as {@code "name": 7, "name_details": {"rate": 1.2}}, in the order given. */
public record CounterSet(Map<String, Count> counts) {
    private static final String DETAILS = "_details";

    public CounterSet {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }

    /** Reads the JSON form. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static CounterSet fromJson(Map<String, Object> json) {
        Map<String, Count> counts = new LinkedHashMap<>();
        json.forEach((name, value) -> {
            if (value instanceof Number total) {
                counts.put(name, new Count(total.longValue(), rateOf(json.get(name + DETAILS))));
            }
        });
        return new CounterSet(counts);
    }

    /** The JSON form. */
    @JsonValue
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        counts.forEach((name, count) -> {
            json.put(name, count.total());
            json.put(name + DETAILS, new Rate(count.perSecond()));
        });
        return json;
    }

    /** The sum of both, counter by counter. */
    public CounterSet plus(CounterSet other) {
        Map<String, Count> sums = new LinkedHashMap<>(counts);
        other.counts.forEach((name, count) ->
                sums.merge(name, count, (a, b) -> new Count(a.total() + b.total(), a.perSecond() + b.perSecond())));
        return new CounterSet(sums);
    }

    static double rateOf(@Nullable Object details) {
        return details instanceof Map<?, ?> map && map.get("rate") instanceof Number rate ? rate.doubleValue() : 0.0;
    }
}
