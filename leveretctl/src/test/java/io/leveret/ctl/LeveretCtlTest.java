package io.leveret.ctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leveret.model.control.ControlSignature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Output and exit codes, against a node that gives prepared answers to signed requests. */
class LeveretCtlTest {
    private static final String SECRET = "a secret of enough letters";
    private static final String BOLD_USAGE = "\u001b[1mUsage\u001b[0m";

    private final Map<String, String> answers = new HashMap<>();
    private final List<String> requests = new ArrayList<>();
    private HttpServer server;

    /** What a run printed. */
    private record Run(int status, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/control", this::answer);
        server.start();
        answers.put("GET /node", "200 {\"state\":\"running\"}");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String target = exchange.getRequestURI().toString();
        ControlSignature.Request signed = new ControlSignature.Request(
                exchange.getRequestMethod(),
                target,
                "",
                exchange.getRequestHeaders().getFirst(ControlSignature.TIME_HEADER),
                exchange.getRequestHeaders().getFirst(ControlSignature.NONCE_HEADER));
        boolean isSigned = new ControlSignature(SECRET)
                .matches(signed, body, exchange.getRequestHeaders().getFirst(ControlSignature.SIGNATURE_HEADER));
        String request = exchange.getRequestMethod() + " " + target.substring("/control".length());
        requests.add(request + (body.length == 0 ? "" : " " + new String(body, UTF_8)));
        String answer = !isSigned
                ? "401 {\"error\":\"" + ControlSignature.REFUSED + "\",\"reason\":\"another secret\"}"
                : answers.getOrDefault(request, "404 {\"error\":\"Object Not Found\",\"reason\":\"Not Found\"}");
        byte[] bytes = answer.substring(3).strip().getBytes(UTF_8);
        exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Run run(String... arguments) {
        return run(SECRET, arguments);
    }

    private Run run(String secret, String[] arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Map<String, String> environment = Map.of(
                "LEVERET_SECRET",
                secret,
                "LEVERET_CONTROL",
                "127.0.0.1:" + server.getAddress().getPort(),
                "LEVERET_CTL_NAME",
                "rabbitmqctl");
        int status = new LeveretCtl(environment, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8))
                .run(arguments);
        return new Run(status, out.toString(UTF_8), err.toString(UTF_8));
    }

    @Test
    void alarmsAreToldAndFailTheirChecks() {
        answers.put("GET /health/checks/alarms", "200 {\"status\":\"ok\"}");
        assertThat(run("check_alarms").out())
                .isEqualTo("Asking node rabbit1@localhost to report any local resource alarms ...\n"
                        + "Node rabbit1@localhost reported no alarms, local or clusterwide\n");
        assertThat(run("alarms", "--formatter", "json").out())
                .isEqualTo("{\"result\":\"ok\",\"node\":\"rabbit1@localhost\",\"alarms\":[]}\n");
        String failed =
                "503 {\"status\":\"failed\",\"alarms\":[{\"node\":\"rabbit2@localhost\",\"resource\":\"memory\"}]}";
        answers.put("GET /health/checks/alarms", failed);
        Run check = run("check_alarms");
        assertThat(check.status()).isEqualTo(69);
        assertThat(check.err()).isEqualTo("Memory alarm on node rabbit2@localhost\n");
        assertThat(run("alarms", "-q").out()).isEqualTo("Memory alarm on node rabbit2@localhost\n");
        answers.put("GET /health/checks/local-alarms", failed.replace("rabbit2", "rabbit1"));
        assertThat(run("check_local_alarms").err()).isEqualTo("Error:\nMemory alarm on node rabbit1@localhost\n");
    }

    @Test
    void checksOfPortsAndOfTheBroker() {
        answers.put("GET /health/checks/port-listener/5672", "200 {\"status\":\"ok\",\"port\":5672}");
        answers.put("GET /health/checks/port-listener/1", "503 {\"status\":\"failed\",\"ports\":[5672,25672]}");
        assertThat(run("check_port_listener", "5672", "-q").out())
                .isEqualTo("A listener for port 5672 is running on node rabbit1@localhost.\n");
        Run missing = run("check_port_listener", "1");
        assertThat(missing.status()).isEqualTo(69);
        assertThat(missing.err())
                .isEqualTo("No listener for port 1 is active on node rabbit1@localhost. "
                        + "Found listeners that use the following ports: 5672, 25672\n");
        answers.put("GET /node/process", "200 {\"state\":\"running\"}");
        assertThat(run("check_running", "-q").out())
                .isEqualTo("RabbitMQ on node rabbit1@localhost is fully booted and running\n");
        answers.put("GET /node/process", "200 {\"state\":\"stopped\"}");
        assertThat(run("check_running").status()).isEqualTo(69);
        assertThat(run("is_running", "--formatter", "json").out()).startsWith("{\"result\":false,");
    }

    @Test
    void setPolicySaysWhatItDoes() {
        answers.put("PUT /policies/%2F/p_queues", "201");
        Run run = run(
                "-n",
                "rabbit1@localhost",
                "set_policy",
                "--priority",
                "-5",
                "--apply-to",
                "queues",
                "p_queues",
                "^pq",
                "{\"ha-mode\":\"all\"}");
        assertThat(run)
                .isEqualTo(new Run(
                        0,
                        "Setting policy \"p_queues\" for pattern \"^pq\" to \"{\"ha-mode\":\"all\"}\" with priority \"-5\""
                                + " for vhost \"/\" ...\n",
                        ""));
        assertThat(requests)
                .contains("PUT /policies/%2F/p_queues {\"pattern\":\"^pq\",\"definition\":{\"ha-mode\":\"all\"},"
                        + "\"priority\":-5,\"apply-to\":\"queues\"}");
        assertThat(run("set_policy", "-q", "p_queues", "^pq", "{\"ha-mode\":\"all\"}")
                        .out())
                .isEmpty();
    }

    @Test
    void refusedPoliciesEndWithTheKnownStatuses() {
        answers.put(
                "PUT /policies/%2F/bad",
                "400 {\"error\":\"bad_request\",\"reason\":\"Validation failed\\n\\nno policy provided\\n\"}");
        Run empty = run("set_policy", "bad", "^bad", "{}");
        assertThat(empty.status()).isEqualTo(69);
        assertThat(empty.err()).isEqualTo("Error:\nValidation failed\n\nno policy provided\n\n");
        Run json = run("set_policy", "bad", "^bad", "{");
        assertThat(json.status()).isEqualTo(69);
        assertThat(json.err()).isEqualTo("Error:\nJSON decoding error. Reason: badarg\n");
        Run vhost = run("set_policy", "-p", "nosuchvhost", "bad", "^bad", "{\"ha-mode\":\"all\"}");
        assertThat(vhost.status()).isEqualTo(65);
        assertThat(vhost.err()).isEqualTo("Virtual host 'nosuchvhost' does not exist\n");
        Run missing = run("clear_policy", "nosuch");
        assertThat(missing.status()).isEqualTo(69);
        assertThat(missing.err()).isEqualTo("Error:\nParameter does not exist\n");
    }

    @Test
    void wrongUseIsToldWithTheUsage() {
        String usage = "\n" + BOLD_USAGE + "\n\nrabbitmqctl [--node <node>] [--longnames] [--quiet] set_policy"
                + " [--vhost <vhost>] [--priority <priority>] [--apply-to <apply-to>] <name> <pattern> <definition>\n";
        assertThat(run("-n", "rabbit1@localhost", "set_policy", "bad", "^x"))
                .isEqualTo(new Run(
                        64,
                        "",
                        "Error (argument validation): not enough arguments.\nArguments given:\n"
                                + "\t-n rabbit1@localhost set_policy bad ^x\n" + usage));
        assertThat(run("set_policy", "--priority", "1.5", "bad", "^x", "{}").err())
                .startsWith("Error (argument validation): Invalid options for this command:\n--priority : 1.5\n");
        assertThat(run("set_policy", "--bogus-flag", "bad", "^x", "{}").err())
                .startsWith("Error (argument validation): Invalid options for this command:\n--bogus-flag : \n");
        assertThat(run("set_policy", "a", "b", "{}", "5").err())
                .startsWith("Error (argument validation): too many arguments.\n");
        Run near = run("list_queue");
        assertThat(near.status()).isEqualTo(64);
        assertThat(near.err()).isEqualTo("\nCommand 'list_queue' not found. \nDid you mean 'list_queues'? \n");
        assertThat(run("list_queues", "name", "bogus").err())
                .startsWith("Error (argument validation): Info key(s) bogus are not supported\n");
        assertThat(run("list_queues", "-t", "0").status()).isEqualTo(75);
    }

    @Test
    void policiesAreListedInEveryFormat() {
        answers.put(
                "GET /policies/%2F",
                "200 [{\"vhost\":\"/\",\"name\":\"m\",\"pattern\":\"^\",\"apply-to\":\"all\",\"definition\":"
                        + "{\"ha-sync-mode\":\"automatic\",\"ha-mode\":\"all\"},\"priority\":0}]");
        String row = "/\tm\t^\tall\t{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}\t0\n";
        String header = "vhost\tname\tpattern\tapply-to\tdefinition\tpriority\n";
        assertThat(run("list_policies").out()).isEqualTo("Listing policies for vhost \"/\" ...\n" + header + row);
        assertThat(run("list_policies", "-q").out()).isEqualTo(header + row);
        assertThat(run("list_policies", "-s").out()).isEqualTo(row);
        assertThat(run("list_policies", "--formatter", "json").out())
                .isEqualTo(
                        "[\n{\"vhost\":\"/\",\"name\":\"m\",\"pattern\":\"^\",\"apply-to\":\"all\",\"definition\":"
                                + "\"{\\\"ha-mode\\\":\\\"all\\\",\\\"ha-sync-mode\\\":\\\"automatic\\\"}\",\"priority\":0}\n]\n");
        assertThat(run("list_policies", "--formatter", "csv").out())
                .isEqualTo("\"vhost\",\"name\",\"pattern\",\"apply-to\",\"definition\",\"priority\"\n"
                        + "\"/\",\"m\",\"^\",\"all\",\"{\"\"ha-mode\"\":\"\"all\"\",\"\"ha-sync-mode\"\":"
                        + "\"\"automatic\"\"}\",\"0\"\n");
        assertThat(run("list_policies", "--formatter", "pretty_table").out())
                .contains("\u001b(0lqqqqqqqwqqqqqqwq", "\u001b(0x\u001b(B /     \u001b(0x\u001b(B m    ");
        answers.put("GET /policies/%2F", "200 []");
        assertThat(run("list_policies").out()).isEqualTo("Listing policies for vhost \"/\" ...\n\n");
        assertThat(run("list_policies", "--formatter", "json").out()).isEqualTo("[]\n");
    }

    @Test
    void queuesAreListedWithTheColumnsAskedFor() {
        answers.put(
                "GET /queues/%2F",
                "200 [{\"name\":\"q\",\"vhost\":\"/\",\"node\":\"rabbit1@localhost\",\"state\":\"running\",\"messages\":5,"
                        + "\"policy\":\"all\",\"slave_nodes\":[\"rabbit2@localhost\"],\"synchronised_slave_nodes\":[],"
                        + "\"arguments\":{\"x-max-length\":10,\"x-dead-letter-exchange\":\"dlx\"}},"
                        + "{\"name\":\"down\",\"vhost\":\"/\",\"node\":\"rabbit2@localhost\",\"state\":\"down\",\"policy\":null,"
                        + "\"arguments\":{}}]");
        assertThat(run("list_queues").out())
                .isEqualTo("Timeout: 60.0 seconds ...\nListing queues for vhost / ...\nname\tmessages\nq\t5\ndown\t\n");
        assertThat(run("list_queues", "-q", "--no-table-headers", "name,policy", "state")
                        .out())
                .isEqualTo("q\tall\trunning\ndown\t\tdown\n");
        assertThat(run("list_queues", "-s", "--online", "name").out()).isEqualTo("q\n");
        assertThat(run("list_queues", "-s", "--offline", "name").out()).isEqualTo("down\n");
        assertThat(run("list_queues", "-s", "--local", "name").out()).isEqualTo("q\n");
        assertThat(run("list_queues", "-s", "pid", "slave_pids", "synchronised_slave_pids")
                        .out())
                .containsPattern(
                        "(?m)^<rabbit1@localhost\\.\\d+\\.\\d+\\.0>\t\\[<rabbit2@localhost\\.\\d+\\.\\d+\\.0>]\t\\[]$");
        assertThat(run("list_queues", "-s", "arguments").out())
                .isEqualTo("[{\"x-max-length\",10},{\"x-dead-letter-exchange\",\"dlx\"}]\n[]\n");
        assertThat(run("list_queues", "--formatter", "json", "name", "messages", "arguments")
                        .out())
                .isEqualTo("[\n{\"name\":\"q\",\"messages\":5,\"arguments\":[[\"x-max-length\",\"signedint\",10],"
                        + "[\"x-dead-letter-exchange\",\"longstr\",\"dlx\"]]}\n"
                        + ",{\"name\":\"down\",\"messages\":\"\",\"arguments\":[]}\n]\n");
        answers.put("GET /queues/%2F", "200 []");
        assertThat(run("list_queues").out()).isEqualTo("Timeout: 60.0 seconds ...\nListing queues for vhost / ...\n");
        assertThat(run("list_queues", "--formatter", "json").out()).isEqualTo("[\n]\n");
    }

    @Test
    void queuesAreSynchronisedPurgedAndDeleted() {
        answers.put("GET /queues/%2F/m", "200 {\"name\":\"m\",\"slave_nodes\":[],\"messages_ready\":5}");
        answers.put("GET /queues/%2F/plain", "200 {\"name\":\"plain\"}");
        answers.put("POST /queues/%2F/m/actions", "204");
        answers.put("DELETE /queues/%2F/m/contents", "204");
        answers.put("DELETE /queues/%2F/m?if-empty=false&if-unused=false", "204");
        answers.put(
                "DELETE /queues/%2F/m?if-empty=true&if-unused=false",
                "400 {\"error\":\"bad_request\",\"reason\":\"queue 'm' in vhost '/' not empty\"}");
        assertThat(run("sync_queue", "m")).isEqualTo(new Run(0, "Synchronising queue 'm' in vhost '/' ...\n", ""));
        assertThat(run("sync_queue", "plain").err()).isEqualTo("Error:\nnot_mirrored\n");
        assertThat(run("sync_queue", "nosuch"))
                .isEqualTo(new Run(69, "Synchronising queue 'nosuch' in vhost '/' ...\n", "Error:\nnot_found\n"));
        assertThat(run("cancel_sync_queue", "m").out())
                .isEqualTo("Stopping synchronising queue 'm' in vhost '/' ...\nnot_syncing\n");
        assertThat(run("purge_queue", "m").out()).isEqualTo("Purging queue 'm' in vhost '/' ...\n");
        assertThat(run("delete_queue", "m").out())
                .isEqualTo(
                        "Deleting queue 'm' on vhost '/' ...\nQueue was successfully deleted with 5 ready messages\n");
        assertThat(run("delete_queue", "--if-empty", "m"))
                .isEqualTo(new Run(
                        64, "Deleting queue 'm' on vhost '/' if queue is empty ...\n", "Error:\nQueue is not empty\n"));
        assertThat(run("delete_queue", "nosuch").err()).isEqualTo("Error:\nQueue not found\n");
    }

    @Test
    void usersAndPermissions() {
        answers.put(
                "GET /users/u1",
                "200 {\"name\":\"u1\",\"password_hash\":\"h\",\"hashing_algorithm\":\"a\",\"tags\":[]}");
        answers.put("PUT /users/u1", "204");
        answers.put("PUT /users/u2", "201");
        answers.put("GET /vhosts/v1", "200 {\"name\":\"v1\"}");
        answers.put("PUT /permissions/v1/u1", "201");
        assertThat(run("add_user", "u2", "pw").out())
                .isEqualTo(
                        "Adding user \"u2\" ...\nDone. Don't forget to grant the user permissions to some virtual hosts!"
                                + " See 'rabbitmqctl help set_permissions' to learn more.\n");
        assertThat(run("add_user", "u1", "pw"))
                .isEqualTo(new Run(70, "Adding user \"u1\" ...\n", "Error:\nUser \"u1\" already exists\n"));
        assertThat(run("set_user_tags", "u1", "monitoring", "policymaker").out())
                .isEqualTo("Setting tags for user \"u1\" to [monitoring, policymaker] ...\n");
        assertThat(requests)
                .contains("PUT /users/u1 {\"password_hash\":\"h\",\"hashing_algorithm\":\"a\","
                        + "\"tags\":[\"monitoring\",\"policymaker\"]}");
        assertThat(run("delete_user", "nosuch"))
                .isEqualTo(new Run(67, "Deleting user \"nosuch\" ...\n", "Error:\nUser \"nosuch\" does not exist\n"));
        assertThat(run("set_permissions", "-p", "v1", "u1", "^a", ".*", ""))
                .isEqualTo(new Run(0, "Setting permissions for user \"u1\" in vhost \"v1\" ...\n", ""));
        assertThat(requests).contains("PUT /permissions/v1/u1 {\"configure\":\"^a\",\"write\":\".*\",\"read\":\"\"}");
        Run nobody = run("set_permissions", "nosuch", ".*", ".*", ".*");
        assertThat(nobody.status()).isEqualTo(67);
        assertThat(nobody.err()).isEqualTo("Error:\nUser nosuch does not exist\n");
        assertThat(run("add_user", "", "x").status()).isEqualTo(65);
    }

    @Test
    void topicPermissionsAndWhatIsWrongWithThem() {
        answers.put("GET /node", "200 {}");
        answers.put("GET /users/u1", "200 {\"name\":\"u1\",\"tags\":[]}");
        answers.put("GET /vhosts/%2F", "200 {\"name\":\"/\"}");
        answers.put(
                "PUT /topic-permissions/%2F/u1",
                "400 {\"error\":\"bad_request\",\"reason\":\"write '(' should be a regular expression but is invalid:"
                        + " {\\\"missing )\\\",1}\"}");
        Run wrong = run("set_topic_permissions", "u1", "amq.topic", "(", ".*");
        assertThat(wrong.status()).isEqualTo(69);
        assertThat(wrong.err()).isEqualTo("Error:\n{:invalid_regexp, '(', {'missing )', 1}}\n");
        answers.put(
                "GET /users/u1/topic-permissions",
                "200 [{\"user\":\"u1\",\"vhost\":\"/\",\"exchange\":\"amq.topic\",\"write\":\"^a\",\"read\":\"^b\"}]");
        assertThat(run("list_user_topic_permissions", "u1").out())
                .isEqualTo("Listing topic permissions for user \"u1\" ...\n/\tamq.topic\t^a\t^b\n");
        assertThat(run("set_user_limits", "nosuch", "{\"max-connections\":5}").err())
                .isEqualTo("Error:\n{:no_such_user, \"nosuch\"}\n");
    }

    @Test
    void attemptsToLogInAreListed() {
        String node = "rabbit1@localhost";
        answers.put("GET /auth/attempts/rabbit1%40localhost", "200 []");
        answers.put(
                "GET /auth/attempts/rabbit1%40localhost/source",
                "200 [{\"remote_address\":\"::1\",\"username\":\"u\",\"protocol\":\"amqp091\",\"auth_attempts\":3,"
                        + "\"auth_attempts_failed\":1,\"auth_attempts_succeeded\":2}]");
        String heading = "Listing authentication\n attempts for node \"" + node + "\" ...\n";
        assertThat(run("list_node_auth_attempt_stats"))
                .isEqualTo(new Run(0, heading + "Node " + node + " reported no authentication attempt stats\n", ""));
        assertThat(run("list_node_auth_attempt_stats", "--by-source").out())
                .isEqualTo(heading
                        + "remote_address\tusername\tprotocol\tauth_attempts\tauth_attempts_failed\tauth_attempts_succeeded\n"
                        + "::1\tu\tamqp091\t3\t1\t2\n");
    }

    @Test
    void aStoppedBrokerAndAnUnreachableNodeAreToldApart() {
        answers.put(
                "GET /queues/%2F", "503 {\"error\":\"unavailable\",\"reason\":\"the broker on this node is stopped\"}");
        Run stopped = run("list_queues");
        assertThat(stopped.status()).isEqualTo(64);
        assertThat(stopped.err())
                .startsWith(
                        "Error: this command requires the 'rabbit' app to be running on the target node. Start it with"
                                + " 'rabbitmqctl start_app'.\nArguments given:\n\tlist_queues\n");
        Run wrongSecret = run("another secret of letters", new String[] {"list_users"});
        assertThat(wrongSecret.status()).isEqualTo(69);
        assertThat(wrongSecret.err()).contains("unable to perform an operation on node 'rabbit1@localhost'");
        server.stop(0);
        Run gone = run("-n", "rabbit9@localhost", "list_users");
        assertThat(gone.status()).isEqualTo(69);
        assertThat(gone.out()).isEmpty();
        assertThat(gone.err())
                .startsWith(
                        "Error: unable to perform an operation on node 'rabbit9@localhost'. Please see diagnostics");
        assertThat(run("ping").status()).isEqualTo(69);
    }

    @Test
    void thresholdsTakeFractionsAndAmounts() {
        answers.put("PUT /node/memory-limit", "204");
        answers.put("PUT /node/disk-limit", "204");
        assertThat(run("set_vm_memory_high_watermark", "0.5"))
                .isEqualTo(new Run(0, "Setting memory threshold on rabbit1@localhost to 0.5 ...\n", ""));
        assertThat(run("set_vm_memory_high_watermark", "absolute", "1GB").out())
                .isEqualTo("Setting memory threshold on rabbit1@localhost to 1GB bytes ...\n");
        assertThat(requests).contains("PUT /node/memory-limit {\"bytes\":1000000000}");
        Run five = run("set_vm_memory_high_watermark", "5");
        assertThat(five.status()).isEqualTo(65);
        assertThat(five.err()).contains("The threshold should be a fraction between 0.0 and 1.0");
        assertThat(run("set_disk_free_limit", "50MB").out())
                .isEqualTo("Setting disk free limit on rabbit1@localhost to 50MB bytes ...\n");
        assertThat(run("set_disk_free_limit", "bogus").status()).isEqualTo(65);
    }

    @Test
    void theClusterIsShownAsText() {
        answers.put(
                "GET /nodes",
                "200 [{\"name\":\"rabbit1@localhost\",\"running\":true,\"partitions\":[]},"
                        + "{\"name\":\"rabbit2@localhost\",\"running\":false,\"partitions\":[]}]");
        answers.put(
                "GET /overview",
                "200 {\"cluster_name\":\"golden\",\"rabbitmq_version\":\"3.10.8\",\"product_version\":\"1\",\"listeners\":"
                        + "[{\"node\":\"rabbit1@localhost\",\"protocol\":\"amqp\",\"ip_address\":\"127.0.0.1\",\"port\":5672}]}");
        answers.put("GET /feature-flags", "200 [{\"name\":\"user_limits\",\"state\":\"enabled\"}]");
        assertThat(run("cluster_status").out())
                .contains(
                        "Cluster status of node rabbit1@localhost ...\n\u001b[1mBasics\u001b[0m\n\nCluster name: golden\n\n")
                .contains("Disk Nodes\u001b[0m\n\nrabbit1@localhost\nrabbit2@localhost\n\n")
                .contains("Running Nodes\u001b[0m\n\nrabbit1@localhost\n\n")
                .contains("Alarms\u001b[0m\n\n(none)\n\n")
                .contains(
                        "Node: rabbit1@localhost, interface: 127.0.0.1, port: 5672, protocol: amqp, purpose: AMQP 0-9-1"
                                + " and AMQP 1.0\n")
                .endsWith("Flag: user_limits, state: enabled\n");
        assertThat(run("cluster_status", "--formatter", "json").out())
                .contains("\"running_nodes\":[\"rabbit1@localhost\"]", "\"cluster_name\":\"golden\"");
    }

    @Test
    void aPortIsToldAlikeByEveryCommand() {
        String listeners =
                "[{\"node\":\"rabbit1@localhost\",\"protocol\":\"http\",\"ip_address\":\"::\",\"port\":15672}]";
        String told = "nterface: [::], port: 15672, protocol: http, purpose: HTTP API\n";
        String json = "{\"interface\":\"[::]\",\"node\":\"rabbit1@localhost\",\"port\":15672,\"protocol\":\"http\","
                + "\"purpose\":\"HTTP API\"}";
        answers.put("GET /nodes", "200 [{\"name\":\"rabbit1@localhost\",\"running\":true,\"partitions\":[]}]");
        answers.put("GET /nodes/rabbit1%40localhost", "200 {\"name\":\"rabbit1@localhost\",\"running\":true}");
        answers.put("GET /overview", "200 {\"listeners\":" + listeners + "}");
        answers.put("GET /feature-flags", "200 []");
        answers.put("GET /vhosts?disable_stats=true", "200 []");
        answers.put("GET /node/listeners", "200 " + listeners);
        assertThat(run("cluster_status").out()).contains("Node: rabbit1@localhost, i" + told);
        assertThat(run("status").out()).contains("\nI" + told);
        assertThat(run("listeners").out()).contains("\nI" + told);
        for (String command : List.of("cluster_status", "status", "listeners")) {
            assertThat(run(command, "--formatter", "json").out()).contains(json);
        }
    }
}
