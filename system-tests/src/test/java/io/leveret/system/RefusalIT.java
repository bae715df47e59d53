package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node that cannot run says why in one line; a node that runs tells nobody its secret. */
class RefusalIT {
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("refusal", 1);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aLockedDataDirectoryIsNotShared() throws Exception {
        Cluster.Output second =
                cluster.runNode(Map.of("LEVERET_DATA", cluster.data(1).toString()));

        assertThat(second.code()).isNotZero();
        assertThat(second.out().lines().filter(line -> line.contains("is in use by another node")))
                .hasSize(1);
        assertThat(second.out()).doesNotContain("\tat ");
    }

    @Test
    void aWrongSettingEndsTheNodeWithItsName() throws Exception {
        Cluster.Output wrong = cluster.runNode(Map.of("LEVERET_AMQP_PORT", "seventy"));

        assertThat(wrong.code()).isNotZero();
        assertThat(lastLine(wrong)).contains("LEVERET_AMQP_PORT");
    }

    @Test
    void theSecretIsInNoLogAndInNoListingOfProcesses() throws Exception {
        try (Stream<Path> logs = Files.list(cluster.folder())) {
            for (Path each :
                    logs.filter(path -> path.toString().endsWith(".log")).toList()) {
                assertThat(Files.readString(each))
                        .doesNotContain(Cluster.SECRET)
                        .doesNotContain("guest:guest");
            }
        }
        for (long process : cluster.processIds()) {
            assertThat(Files.readString(Path.of("/proc/" + process + "/cmdline")))
                    .doesNotContain(Cluster.SECRET);
        }
    }

    @Test
    void theControlPortAnswersNobodyWithoutTheSecret() throws Exception {
        for (String path : List.of("/control/overview", "/control/users", "/control/definitions", "/actuator/env")) {
            assertThat(cluster.raw(cluster.controlPort(1), path)).as(path).isIn(401, 403, 404);
        }
    }

    private static String lastLine(Cluster.Output output) {
        List<String> lines = output.out().lines().toList();
        return lines.get(lines.size() - 1);
    }
}
