package io.leveret.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.admin.Samples;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.QueueView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EffectivePolicyTest {
    private static final PolicyView POLICY = new PolicyView(
            "/", "ha", "^q", "queues", Map.of("ha-mode", "all", "max-length", 1000, "message-ttl", 200), 0);
    private static final PolicyView OPERATOR = new PolicyView("/", "cap", "", "queues", Map.of("max-length", 500), 0);

    @Test
    void eachKeySaysWhereItComesFromAndWhyItWon() {
        QueueView queue = queue(
                Map.of("ha-mode", "all", "max-length", 500, "message-ttl", 200),
                Map.of("x-message-ttl", 100, "x-max-priority", 5));
        assertThat(EffectivePolicy.of(queue, POLICY, OPERATOR))
                .extracting(row -> row.key() + "=" + row.value() + " from " + row.from() + ": " + row.why())
                .containsExactly(
                        "ha-mode=all from policy ha: ",
                        "max-length=500 from operator policy cap: the policy asks for 1000; the smaller applies",
                        "max-priority=5 from queue argument x-max-priority: ",
                        "message-ttl=100 from queue argument x-message-ttl: the policy asks for 200; the smaller applies");
    }

    @Test
    void aLargerArgumentYieldsToThePolicy() {
        QueueView queue = queue(Map.of("message-ttl", 200), Map.of("x-message-ttl", 300));
        assertThat(EffectivePolicy.of(queue, POLICY, null)).singleElement().satisfies(row -> {
            assertThat(row.value()).isEqualTo("200");
            assertThat(row.why()).isEqualTo("the queue's argument asks for 300; the smaller applies");
        });
    }

    private static QueueView queue(Map<String, Object> effective, Map<String, Object> arguments) {
        QueueView q = Samples.queue("q", 5, List.of(Samples.leader(Samples.N1)), "ha");
        return new QueueView(
                q.name(),
                q.vhost(),
                q.type(),
                true,
                false,
                false,
                arguments,
                q.leader(),
                q.state(),
                null,
                null,
                null,
                q.policy(),
                "cap",
                effective,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                q.figures(),
                null,
                null,
                q.replication());
    }
}
