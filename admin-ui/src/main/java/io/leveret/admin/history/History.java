package io.leveret.admin.history;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Reads the history, for the pages. */
@Component
public class History {
    private final Changes changes;

    History(Changes changes) {
        this.changes = changes;
    }

    /** The last changes, the newest first. */
    public List<ChangeRow> newest(int count) {
        return changes.findAllByOrderByIdDesc(Limit.of(count)).stream()
                .map(ChangeRow::new)
                .toList();
    }

    /** The last changes of one object, the newest first. */
    public List<ChangeRow> of(String kind, String vhost, String name, int count) {
        return changes.findByKindAndVhostAndNameOrderByIdDesc(kind, vhost, name, Limit.of(count)).stream()
                .map(ChangeRow::new)
                .toList();
    }
}
