package io.leveret.admin.history;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The cluster's totals at one moment. Kept once a minute, so that charts survive a restart. */
@Entity
@Table(name = "statistics_sample")
public class StatisticsSample {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @Column(name = "taken_at", nullable = false)
    private Instant takenAt = Instant.EPOCH;

    private long ready;
    private long unacked;
    private double published;
    private double delivered;
    private double acked;

    /** For the database. */
    protected StatisticsSample() {}

    StatisticsSample(Sample sample) {
        this.takenAt = sample.takenAt();
        this.ready = sample.ready();
        this.unacked = sample.unacked();
        this.published = sample.published();
        this.delivered = sample.delivered();
        this.acked = sample.acked();
    }

    /** What was measured. Rates are per second. */
    public record Sample(Instant takenAt, long ready, long unacked, double published, double delivered, double acked) {}

    Sample sample() {
        return new Sample(takenAt, ready, unacked, published, delivered, acked);
    }
}
