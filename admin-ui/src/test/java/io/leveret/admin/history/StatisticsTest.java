package io.leveret.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.admin.AdminTest;
import io.leveret.admin.FakeNode;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

class StatisticsTest extends AdminTest {
    @Autowired
    private Statistics statistics;

    @Autowired
    private StatisticsSamples samples;

    @Autowired
    private ScheduledTaskHolder scheduled;

    @BeforeEach
    void empty() {
        samples.deleteAll();
    }

    /** Nothing runs by itself in these tests: that it does in the admin is seen here. */
    @Test
    void aSampleIsTakenEveryTenSeconds() {
        assertThat(scheduled.getScheduledTasks())
                .extracting(ScheduledTask::getTask)
                .filteredOn(task -> task.toString().endsWith("Statistics.measure"))
                .singleElement(InstanceOfAssertFactories.type(FixedDelayTask.class))
                .returns(Duration.ofSeconds(10), FixedDelayTask::getIntervalDuration);
    }

    @Test
    void totalsAreMeasuredForChartsAndNoMoreThanOnceAMinuteKept() {
        int before = statistics.over(Duration.ofMinutes(10)).size();
        statistics.measure();
        statistics.measure();
        List<StatisticsSample.Sample> recent = statistics.over(Duration.ofMinutes(10));
        assertThat(recent.size()).isGreaterThanOrEqualTo(before + 2);
        StatisticsSample.Sample last = recent.get(recent.size() - 1);
        assertThat(last.ready()).isEqualTo(12_580);
        assertThat(last.unacked()).isEqualTo(9);
        assertThat(last.published()).isEqualTo(70.0);
        assertThat(samples.count()).isLessThanOrEqualTo(1);
    }

    @Test
    void whatIsKeptIsShownOverLongerSpansUntilItIsTooOld() {
        StatisticsSample.Sample now = measured();
        samples.save(new StatisticsSample(at(now, Duration.ofMinutes(30))));
        samples.save(new StatisticsSample(at(now, Duration.ofHours(3))));
        assertThat(statistics.over(Duration.ofHours(1))).hasSize(1);
        assertThat(statistics.over(Duration.ofDays(1))).hasSize(2);
        samples.deleteOlderThan(now.takenAt().minus(Duration.ofHours(1)));
        assertThat(statistics.over(Duration.ofDays(1))).hasSize(1);
    }

    @Test
    void noAnswerIsNoSample() {
        int before = statistics.over(Duration.ofMinutes(10)).size();
        NODE.on("GET /overview", request -> FakeNode.refused(503, "unavailable", "no majority"));
        statistics.measure();
        assertThat(statistics.over(Duration.ofMinutes(10))).hasSize(before);
    }

    private StatisticsSample.Sample measured() {
        statistics.measure();
        samples.deleteAll();
        List<StatisticsSample.Sample> recent = statistics.over(Duration.ofMinutes(10));
        return recent.get(recent.size() - 1);
    }

    private static StatisticsSample.Sample at(StatisticsSample.Sample sample, Duration before) {
        return new StatisticsSample.Sample(sample.takenAt().minus(before), 1, 2, 3, 4, 5);
    }
}
