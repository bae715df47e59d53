package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** pika, unchanged, through two nodes: with a queue of one node, then with a mirrored one. */
class PikaIT {
    @Test
    void aPikaProgramRunsUnchanged() throws Exception {
        boolean isInstalled = run("-c", "import pika") == 0;
        if (!Boolean.parseBoolean(System.getenv("LEVERET_TESTS_REQUIRE_ALL"))) {
            Assumptions.assumeTrue(isInstalled, "Debian's python3-pika is not installed");
        }
        try (Cluster cluster = Cluster.start("pika", 3)) {
            cluster.policy("ha", "^ha\\\\.", "{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}");
            for (String queue : new String[] {"pika.plain", "ha.pika"}) {
                Path script = Path.of("src/test/resources/pika_job.py");
                int code = run(
                        script.toString(),
                        String.valueOf(cluster.amqpPort(1)),
                        String.valueOf(cluster.amqpPort(2)),
                        queue);
                assertThat(code)
                        .as("exit code of %s for %s, see the output above", script, queue)
                        .isZero();
            }
        }
    }

    private static int run(String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/usr/bin/python3");
        builder.command().addAll(java.util.List.of(words));
        Process process = builder.inheritIO().start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
