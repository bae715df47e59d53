package io.leveret.admin.connection;

import io.leveret.admin.web.Words;
import io.leveret.model.view.MessageStats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One counter of messages, as the pages of connections and channels list it. */
public record Counted(String name, String total, String perSecond) {
    static List<Counted> of(@Nullable MessageStats stats) {
        List<Counted> list = new ArrayList<>();
        if (stats != null) {
            stats.counts()
                    .forEach((counter, count) -> list.add(new Counted(
                            counter.word().replace('_', ' '),
                            Words.number(count.total()),
                            Words.rate(count.perSecond()))));
        }
        return list;
    }
}
