package io.leveret.node.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.spi.exception.CallerNotMemberException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import io.leveret.model.NodeName;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What may come from another member as a serialised object. */
class HazelcastTuningTest {
    private final InternalSerializationService service = new DefaultSerializationServiceBuilder()
            .setConfig(HazelcastTuning.of(settings()).getSerializationConfig())
            .build();

    private record Anything(String value) implements Serializable {}

    private static MembershipSettings settings() {
        Member self = new Member(new NodeName("rabbit1@localhost"), new UUID(0, 1), 1, "1", 10, Map.of());
        return new MembershipSettings(self, "127.0.0.1", 1, List.of(), "test");
    }

    @AfterEach
    void dispose() {
        service.dispose();
    }

    @Test
    void theExceptionsThatMembersAnswerWithAreRead() {
        for (Throwable each : List.of(
                new RetryableHazelcastException("not yet"),
                new CallerNotMemberException("who"),
                new TargetNotMemberException("whom"))) {
            Throwable read = service.toObject(service.toData(each));
            assertThat(read).hasSameClassAs(each).hasMessage(each.getMessage());
        }
    }

    @Test
    void nothingElseIs() {
        for (Object each : List.of(new Anything("x"), new ArrayList<>(List.of(new Anything("x"))), Thread.State.NEW)) {
            assertThatThrownBy(() -> service.toObject(service.toData(each)))
                    .as(each.toString())
                    .hasRootCauseInstanceOf(SecurityException.class);
        }
    }
}
