package io.leveret.admin.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.admin.AdminTest;
import io.leveret.admin.FakeNode;
import io.leveret.admin.Samples;
import io.leveret.model.view.NamedView;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class QueueListTest extends AdminTest {
    @Autowired
    private QueueList queues;

    @Autowired
    private BrokerCommands commands;

    @Test
    void aChangeMadeHereIsSeenAtOnce() {
        queues.forget();
        assertThat(queues.all()).hasSize(3);
        NODE.shows("/queues", List.of(Samples.queue("only", 1, List.of(Samples.leader(Samples.N1)), null)));
        NODE.on("PUT /cluster-name", request -> FakeNode.empty(204));
        commands.apply(Mutation.put("cluster name", "", "x", ControlPath.of("cluster-name"), new NamedView("x")));
        assertThat(queues.all()).hasSize(1);
        queues.forget();
    }

    @Test
    void manyLooksAtOnceAreOneReading() {
        queues.forget();
        NODE.forget();
        NODE.on("GET /queues", request -> {
            LockSupport.parkNanos(50_000_000);
            return FakeNode.json(200, Samples.queues());
        });
        List<Integer> seen = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> queues.all().size())
                .toList();
        assertThat(seen).containsOnly(3);
        assertThat(NODE.received())
                .filteredOn(one -> one.target().equals("/queues"))
                .hasSize(1);
        queues.forget();
    }
}
