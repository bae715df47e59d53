package io.leveret.node;

import static io.leveret.node.ControlFixture.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.ControlFixture.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions over the control API of a node. */
class DefinitionsApiTest {
    @TempDir
    static Path folder;

    private static ControlFixture node;

    @BeforeAll
    static void start() throws Exception {
        node = new ControlFixture(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
    }

    @Test
    void definitionsAreExportedAndImported() {
        String file =
                "{\"vhosts\":[{\"name\":\"imp\"}],\"queues\":[{\"name\":\"i.q\",\"vhost\":\"imp\",\"durable\":true,"
                        + "\"auto_delete\":false,\"arguments\":{\"x-max-length\":3}}],\"exchanges\":[{\"name\":\"i.e\","
                        + "\"vhost\":\"imp\",\"type\":\"fanout\",\"durable\":true,\"auto_delete\":false,\"internal\":false,"
                        + "\"arguments\":{}}],\"bindings\":[{\"source\":\"i.e\",\"vhost\":\"imp\",\"destination\":\"i.q\","
                        + "\"destination_type\":\"queue\",\"routing_key\":\"k\",\"arguments\":{}}],\"policies\":[{\"vhost\":"
                        + "\"imp\",\"name\":\"p\",\"pattern\":\"^i\",\"apply-to\":\"queues\",\"definition\":{\"ha-mode\":\"all\"},"
                        + "\"priority\":0}]}";
        expect(204, node.ask("POST", "/definitions", file));
        Reply exported = node.get("/definitions/imp");
        expect(200, "\"name\":\"i.q\"", exported);
        assertThat(exported.body())
                .contains("\"source\":\"i.e\"", "\"ha-mode\":\"all\"")
                .doesNotContain("users");
        expect(200, "\"name\":\"imp\"", node.get("/definitions"));
        expect(204, node.ask("POST", "/definitions", file));
        expect(400, "failed_to_parse_json", node.ask("POST", "/definitions", "[]"));
        expect(
                400,
                "{\\\"missing )\\\",1}\\n (//x)",
                node.ask(
                        "POST",
                        "/definitions",
                        "{\"policies\":[{\"vhost\":\"/\",\"name\":\"x\",\"pattern\":\"(\",\"definition\":{\"ha-mode\":\"all\"}}]}"));
        expect(
                400,
                "vhost 'nosuch' does not exist",
                node.ask("POST", "/definitions", "{\"queues\":[{\"name\":\"x\",\"vhost\":\"nosuch\"}]}"));
        expect(
                400,
                "unknown exchange type 'x-delayed-message'",
                node.ask(
                        "POST",
                        "/definitions",
                        "{\"exchanges\":[{\"name\":\"x\",\"vhost\":\"/\",\"type\":\"x-delayed-message\"}]}"));
        expect(
                400,
                "invalid arg 'x-message-ttl' for queue 'x' in vhost '/': {value_negative,-1}",
                node.ask(
                        "POST",
                        "/definitions",
                        "{\"queues\":[{\"name\":\"x\",\"vhost\":\"/\",\"arguments\":{\"x-message-ttl\":-1}}]}"));
        expect(204, node.ask("DELETE", "/vhosts/imp", ""));
    }

    @Test
    void anImportWithAFaultChangesNothing() {
        expect(201, node.ask("PUT", "/vhosts/atomic", "{}"));
        Reply refused = node.ask(
                "POST",
                "/definitions",
                "{\"policies\":[{\"vhost\":\"atomic\",\"name\":\"good\",\"pattern\":\"\",\"definition\":"
                        + "{\"max-length\":5}},{\"vhost\":\"atomic\",\"pattern\":\"\",\"definition\":{\"max-length\":5}}]}");
        expect(400, "the name of an object in vhost 'atomic' is undefined", refused);
        expect(200, "[]", node.get("/policies/atomic"));
        expect(
                400,
                "max-connections",
                node.ask(
                        "POST",
                        "/definitions",
                        "{\"users\":[{\"name\":\"u\",\"tags\":\"\",\"limits\":{\"max-connections\":\"many\"}}]}"));
        expect(404, node.get("/users/u"));
        expect(204, node.ask("DELETE", "/vhosts/atomic", ""));
    }

    @Test
    void anImportLeavesWhatIsThereAsItIs() {
        String file = "{\"queues\":[{\"name\":\"re.q\",\"vhost\":\"/\",\"durable\":true,\"auto_delete\":false,"
                + "\"arguments\":{\"x-max-length\":9}}]}";
        expect(204, node.ask("POST", "/definitions", file));
        expect(204, node.ask("POST", "/definitions", file.replace("9", "5").replace("true", "false")));
        expect(200, "\"x-max-length\":9", node.get("/queues/%2F/re.q"));
        expect(204, node.ask("DELETE", "/queues/%2F/re.q", ""));
    }
}
