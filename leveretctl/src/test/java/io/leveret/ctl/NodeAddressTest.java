package io.leveret.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAddressTest {
    private static final String MEMBERS = "rabbit1@node1=node1, rabbit2@node2=node2,rabbit3@node3=10.0.0.3:1:2:3:4";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rabbit1         |              |                | rabbit1@localhost | 127.0.0.1 | 15681",
                "rabbit3@elsewhere |            |                | rabbit3@elsewhere | elsewhere | 15683",
                "rabbit2         | members      |                | rabbit2@node2     | node2     | 15681",
                "rabbit2@node2   | members      |                | rabbit2@node2     | node2     | 15681",
                "rabbit3         | members      |                | rabbit3@node3     | 10.0.0.3  | 4",
                "rabbit          | members      |                | rabbit@localhost  | 127.0.0.1 | 15681",
                "rabbit2         | members      | other:99       | rabbit2@localhost | other     | 99",
            })
    void aNodeIsFoundByWhatIsKnownOfIt(
            String name, String members, String control, String node, String host, int port) {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", "sixteen characters"));
        if (members != null) {
            environment.put("LEVERET_INITIAL_MEMBERS", MEMBERS);
        }
        if (control != null) {
            environment.put("LEVERET_CONTROL", control);
        }
        assertThat(NodeAddress.of(name, environment))
                .isEqualTo(new NodeAddress(node, host, port, "sixteen characters"));
    }
}
