package io.leveret.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartTest {
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    @ParameterizedTest
    @CsvSource({"0,1", "0.4,1", "7,8", "10,10", "11,15", "2785231,3000000", "999,1000"})
    void anAxisEndsAtANumberThatReadsWell(double max, double top) {
        assertThat(Chart.roundedUp(max)).isEqualTo(top);
    }

    @Test
    void linesFillTheBoxAndTellTheirLastValue() {
        Chart chart = chart(List.of(0L, 60L, 120L), List.of(0.0, 500.0, 1000.0));
        assertThat(chart.lines()).singleElement().satisfies(line -> {
            assertThat(line.segments()).containsExactly("50.0,140.0 302.0,74.0 554.0,8.0");
            assertThat(line.now()).isEqualTo("1,000/s");
        });
        assertThat(chart.label()).isEqualTo("Rates, now: Publish 1,000/s");
        assertThat(chart.times()).isEqualTo(new Chart.Times("12:00", "12:01", "12:02"));
        assertThat(chart.top()).isEqualTo("1 k");
        assertThat(chart.middle()).isEqualTo("500");
    }

    @Test
    void aTimeWithoutAnswersIsAGapAndNotALine() {
        Chart chart = chart(
                List.of(0L, 10L, 20L, 30L, 40L, 50L, 60L, 1000L, 1010L),
                List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0));
        assertThat(chart.lines().get(0).segments()).hasSize(2);
    }

    @Test
    void oneSampleIsNoChart() {
        assertThat(chart(List.of(0L), List.of(5.0)).isEmpty()).isTrue();
        assertThat(chart(List.of(), List.of()).isEmpty()).isTrue();
    }

    private static Chart chart(List<Long> seconds, List<Double> values) {
        return Chart.of(
                "rates",
                "Rates",
                seconds.stream().map(START::plusSeconds).toList(),
                List.of(new Chart.Series("Publish", values, "/s")));
    }
}
