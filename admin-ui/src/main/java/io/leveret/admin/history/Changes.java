package io.leveret.admin.history;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/** The changes, in the database. */
interface Changes extends JpaRepository<Change, Long> {
    List<Change> findAllByOrderByIdDesc(Limit limit);

    List<Change> findByKindAndVhostAndNameOrderByIdDesc(String kind, String vhost, String name, Limit limit);

    Optional<Change> findFirstByKindAndVhostAndNameAndVerbAndOutcomeOrderByIdDesc(
            String kind, String vhost, String name, String verb, Change.Outcome outcome);
}
