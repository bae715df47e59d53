package io.leveret.admin.overview;

import io.leveret.admin.history.Statistics;
import io.leveret.admin.history.StatisticsSample.Sample;
import io.leveret.admin.web.Chart;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/** The charts of the whole cluster, over a span that can be chosen. */
@Component
class Charts {
    static final Map<String, Duration> SPANS = spans();

    private final Statistics statistics;

    Charts(Statistics statistics) {
        this.statistics = statistics;
    }

    List<Chart> of(String span) {
        List<Sample> samples = statistics.over(SPANS.getOrDefault(span, Duration.ofMinutes(10)));
        List<Instant> instants = samples.stream().map(Sample::takenAt).toList();
        return List.of(
                Chart.of(
                        "queued-messages",
                        "Queued messages",
                        instants,
                        List.of(
                                series("Ready", samples, Sample::ready, ""),
                                series("Total", samples, sample -> sample.ready() + sample.unacked(), ""),
                                series("Unacked", samples, Sample::unacked, ""))),
                Chart.of(
                        "message-rates",
                        "Message rates",
                        instants,
                        List.of(
                                series("Publish", samples, Sample::published, "/s"),
                                series("Deliver", samples, Sample::delivered, "/s"),
                                series("Ack", samples, Sample::acked, "/s"))));
    }

    private static Chart.Series series(String name, List<Sample> samples, ToDoubleFunction<Sample> value, String unit) {
        return new Chart.Series(
                name,
                samples.stream().map(sample -> value.applyAsDouble(sample)).toList(),
                unit);
    }

    private static Map<String, Duration> spans() {
        Map<String, Duration> spans = new LinkedHashMap<>();
        spans.put("10 minutes", Duration.ofMinutes(10));
        spans.put("1 hour", Duration.ofHours(1));
        spans.put("1 day", Duration.ofDays(1));
        spans.put("1 week", Duration.ofDays(7));
        return Collections.unmodifiableMap(spans);
    }
}
