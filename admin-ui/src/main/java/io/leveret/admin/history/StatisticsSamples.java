package io.leveret.admin.history;

import java.time.Instant;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

/** The samples, in the database. */
interface StatisticsSamples extends JpaRepository<StatisticsSample, Long> {
    List<StatisticsSample> findByTakenAtAfterOrderByTakenAt(Instant from);

    @Modifying
    @Transactional
    @Query("delete from StatisticsSample s where s.takenAt < :before")
    void deleteOlderThan(Instant before);
}
