package io.leveret.admin;

import io.leveret.admin.cluster.Kept;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** The whole admin on a free port, beside a fake node; one for all tests that extend it. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public abstract class AdminTest {
    protected static final FakeNode NODE = FakeCluster.on(new FakeNode());

    @LocalServerPort
    protected int port;

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry registry) {
        registry.add("leveret.nodes", NODE::address);
        registry.add("leveret.secret", () -> FakeNode.SECRET);
        // The node is always there: only a machine that is slow is waited for.
        registry.add("leveret.connect-timeout", () -> "30s");
        registry.add("leveret.query-timeout", () -> "30s");
        registry.add("spring.datasource.url", () -> "jdbc:h2:mem:admin");
    }

    /** Runs nothing: what is measured every few seconds would come between a test and what it looks at. */
    @MockitoBean
    private TaskScheduler scheduler;

    @Autowired
    private List<Kept> kept;

    @BeforeEach
    void freshCluster() {
        FakeCluster.on(NODE);
        kept.forEach(Kept::forget);
        NODE.forget();
    }
}
