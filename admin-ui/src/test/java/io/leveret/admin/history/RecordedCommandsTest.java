package io.leveret.admin.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.admin.FakeCluster;
import io.leveret.admin.FakeNode;
import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.SignedInUser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.domain.Limit;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.MOCK)
class RecordedCommandsTest {
    private static final FakeNode NODE = FakeCluster.on(new FakeNode());
    private static final ControlPath POLICY = ControlPath.of("policies", "/", "ha-all");

    @Autowired
    private BrokerCommands commands;

    @Autowired
    private Changes changes;

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry registry) {
        registry.add("leveret.nodes", NODE::address);
        registry.add("leveret.secret", () -> FakeNode.SECRET);
        registry.add("spring.datasource.url", () -> "jdbc:h2:mem:history");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @BeforeEach
    void signIn() {
        FakeCluster.on(NODE);
        changes.deleteAll();
        SignedInUser ops = new SignedInUser("ops", List.of("administrator"), List.of("/"));
        SecurityContextHolder.getContext()
                .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(ops, null, List.of()));
    }

    @AfterEach
    void signOut() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void aChangeIsKeptWithWhatWasBeforeAndAfter() {
        commands.apply(Mutation.put(
                "policy", "/", "ha-all", POLICY, Map.of("pattern", "^b", "definition", Map.of("ha-mode", "all"))));
        assertThat(newest()).satisfies(change -> {
            assertThat(change.userName()).isEqualTo("ops");
            assertThat(change.verb()).isEqualTo("save");
            assertThat(change.kind()).isEqualTo("policy");
            assertThat(change.outcome()).isEqualTo(Change.Outcome.DONE);
            assertThat(change.before()).contains("^orders");
            assertThat(change.after()).contains("\"^b\"");
        });
    }

    @Test
    void aRefusalIsKeptWithItsReason() {
        assertThatThrownBy(() -> commands.apply(
                        Mutation.put("policy", "/", "ha-all", POLICY, Map.of("pattern", "", "definition", Map.of()))))
                .isInstanceOf(BrokerRefusedException.class);
        assertThat(newest().outcome()).isEqualTo(Change.Outcome.REFUSED);
        assertThat(newest().reason()).contains("no policy provided");
        assertThat(newest().after()).isNull();
    }

    @Test
    void anUnknownOutcomeIsKeptAsSuch() {
        NODE.on(
                "DELETE /policies/%2F/ha-all",
                request -> {
                    throw new IOException("cut");
                });
        assertThatThrownBy(() -> commands.apply(Mutation.delete("policy", "/", "ha-all", POLICY)));
        assertThat(newest().outcome()).isEqualTo(Change.Outcome.UNKNOWN);
        assertThat(newest().before()).contains("^orders");
    }

    @Test
    void aPasswordsHashIsNotKept() {
        NODE.on("PUT /users/guest", request -> FakeNode.empty(204));
        commands.apply(
                Mutation.put("user", "", "guest", ControlPath.of("users", "guest"), Map.of("password", "geheim")));
        assertThat(newest().before()).contains("administrator").doesNotContain("aGFzaA==");
        assertThat(newest().after()).doesNotContain("aGFzaA==").doesNotContain("geheim");
    }

    @Test
    void whatIsRecordedOfAQueueIsReadWithoutItsStatistics() {
        NODE.on("DELETE /queues/%2F/plain", request -> FakeNode.empty(204));
        NODE.forget();
        commands.apply(Mutation.delete("queue", "/", "plain", ControlPath.of("queues", "/", "plain")));
        assertThat(newest().before()).contains("\"name\":\"plain\"");
        assertThat(NODE.received())
                .extracting(FakeNode.Received::target)
                .containsExactly(
                        "/queues/%2F/plain?disable_stats=true",
                        "/queues/%2F/plain", "/queues/%2F/plain?disable_stats=true");
    }

    private Change newest() {
        return changes.findAllByOrderByIdDesc(Limit.of(1)).get(0);
    }
}
