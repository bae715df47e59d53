package io.leveret.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.admin.AdminTest;
import io.leveret.admin.FakeNode;
import io.leveret.admin.Samples;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Status codes, headers and bodies of the HTTP API, over real HTTP. */
class ApiTest extends AdminTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String POLICY = "{\"pattern\":\"^x\",\"definition\":{\"ha-mode\":\"all\"}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PUT    | /api/policies/%2F/new                    | 201",
                "PUT    | /api/policies/%2F/ha-all                 | 204",
                "DELETE | /api/policies/%2f/ttl                    | 404",
                "DELETE | /api/policies/%2F/ttl                    | 204",
                "DELETE | /api/policies/%2F/nosuch                 | 404",
                "PUT    | /api/policies/%2F/a%20b%2Fc              | 201",
                "POST   | /api/policies/%2F/ha-all                 | 405",
                "PUT    | /api/policies/%2F                        | 405",
                "PUT    | /api/policies/%2F/                       | 405",
                "GET    | /api/policies/%2F/                       | 200",
                "GET    | /api/nosuch                              | 404",
                "GET    | /api/queues/%2F/plain/nosuch             | 404",
                "GET    | /api/queues/%2F/a/b/c/d                  | 404",
                "DELETE | /api/queues//b                           | 404",
                "GET    | /api/health/checks/nosuch                | 404",
                "GET    | /api/health/checks/port-listener/x       | 400",
                "GET    | /api/queues?page=0                       | 400",
                "GET    | /api/queues?sort_reverse=bogus           | 400",
                "GET    | /api/users/                              | 200",
                "PATCH  | /api/overview                            | 405",
                "HEAD   | /api/overview                            | 200",
                "OPTIONS| /api/overview                            | 200",
            })
    void statusCodes(String method, String path, int status) throws Exception {
        String body = method.equals("PUT") ? POLICY : "";
        HttpResponse<String> answer = call(method, path, "guest:pw", body);
        boolean isLowerCase = path.contains("%2f");
        // A client may write escapes in small letters; the fake node knows only large ones, so look at what it was
        // asked.
        if (isLowerCase) {
            assertThat(NODE.changes().get(0).target()).isEqualTo("/policies/%2F/ttl");
        } else {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        }
    }

    @Test
    void aListOfPoliciesHasTheFieldsThatClientsKnow() throws Exception {
        assertThat(get("/api/policies/%2F/ha-all", "guest:pw").body())
                .isEqualTo("{\"vhost\":\"/\",\"name\":\"ha-all\",\"pattern\":\"^orders\\\\.\",\"apply-to\":\"queues\","
                        + "\"definition\":{\"ha-mode\":\"all\"},\"priority\":10}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "{                                  | not_json",
                "not json                           | not_json",
                "[]                                 | not_json",
                "5                                  | not_json",
                "{}                                 | [{key_missing,pattern},{key_missing,definition}]",
                "null                               | [{key_missing,pattern},{key_missing,definition}]",
                "{\"pattern\":\"^x\"}               | [{key_missing,definition}]",
                "{\"definition\":{\"a\":1}}         | [{key_missing,pattern}]",
            })
    void aBodyThatIsNoPolicyIsRefusedWithItsReason(String body, String reason) throws Exception {
        HttpResponse<String> answer = call("PUT", "/api/policies/%2F/p", "guest:pw", body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"error\":\"bad_request\",\"reason\":\"" + reason + "\"}");
        assertThat(NODE.changes()).isEmpty();
    }

    @Test
    void aRefusalOfTheNodeIsPassedOn() throws Exception {
        HttpResponse<String> answer =
                call("PUT", "/api/policies/%2F/p", "guest:pw", "{\"pattern\":\"^x\",\"definition\":{}}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .isEqualTo("{\"error\":\"bad_request\",\"reason\":\"Validation failed\\n\\nno policy provided\\n\"}");
    }

    @Test
    void theNodeIsToldWhoAsks() throws Exception {
        call("PUT", "/api/policies/%2F/p", "pol:pw", POLICY);
        assertThat(NODE.changes()).singleElement().satisfies(put -> {
            assertThat(put.user()).isEqualTo("pol");
            assertThat(put.body()).isEqualTo(POLICY);
        });
    }

    @Test
    void withoutAPasswordTheAnswerAsksForOne() throws Exception {
        HttpResponse<String> answer = call("GET", "/api/overview", null, "");
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Basic realm=\"RabbitMQ Management\"");
        assertThat(answer.body()).isEmpty();
        assertThat(call("GET", "/api/nosuch", null, "").statusCode()).isEqualTo(404);
        assertThat(call("GET", "/api/auth", null, "").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "guest:x | GET | /api/overview           | Login failed",
                "non:pw  | GET | /api/whoami             | Not management user",
                "mgt:pw  | PUT | /api/policies/%2F/p     | User not authorised to access object",
                "mon:pw  | PUT | /api/policies/%2F/p     | User not authorised to access object",
                "pol:pw  | PUT | /api/policies/v1/p      | User not authorised to access object",
                "mon:pw  | GET | /api/queues/v1          | User not authorised to access virtual host",
                "mgt:pw  | GET | /api/nodes              | Not monitor user",
                "mon:pw  | GET | /api/users              | Not administrator user",
                "mgt:pw  | POST| /api/queues/%2F/plain/actions | Not administrator user",
                "mgt:pw  | GET | /api/definitions        | Not administrator user",
            })
    void deniedWithTheReason(String user, String method, String path, String reason) throws Exception {
        HttpResponse<String> answer = call(method, path, user, method.equals("GET") ? "" : POLICY);
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("\"reason\":\"" + reason + "\"");
        assertThat(NODE.changes()).isEmpty();
    }

    @Test
    void connectionsOfOthersAreForThoseWhoMonitor() throws Exception {
        assertThat(get("/api/connections?columns=name", "mgt:pw").body()).isEqualTo("[{\"name\":\"c2\"}]");
        assertThat(get("/api/connections?columns=name", "mon:pw").body())
                .isEqualTo("[{\"name\":\"c1\"},{\"name\":\"c2\"}]");
        assertThat(call("DELETE", "/api/connections/c1", "mon:pw", "").statusCode())
                .isEqualTo(401);
    }

    @Test
    void aConnectionThatIsGoneDoesNotKeepTheOthersOfItsUserOpen() throws Exception {
        NODE.shows(
                "/connections",
                List.of(
                        Samples.connection("told", "guest", "closing"),
                        Samples.connection("gone", "guest"),
                        Samples.connection("open", "guest"),
                        Samples.connection("another's", "mgt")));
        NODE.on("DELETE /connections/open", request -> FakeNode.empty(204));
        assertThat(call("DELETE", "/api/connections/username/guest", "guest:pw", "")
                        .statusCode())
                .isEqualTo(204);
        assertThat(NODE.changes())
                .extracting(FakeNode.Received::target)
                .containsExactly("/connections/gone", "/connections/open");
    }

    @Test
    void aRefusalToCloseAConnectionOfAUserIsPassedOn() throws Exception {
        NODE.on("DELETE /connections/c1", request -> FakeNode.refused(400, "bad_request", "not now"));
        assertThat(call("DELETE", "/api/connections/username/guest", "guest:pw", "")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aPageHasItsCounts() throws Exception {
        assertThat(get("/api/queues?page=1&page_size=1&name=ORD&columns=name&sort=name&sort_reverse=true", "guest:pw")
                        .body())
                .isEqualTo("{\"filtered_count\":2,\"item_count\":1,\"items\":[{\"name\":\"orders.old\"}],\"page\":1,"
                        + "\"page_count\":2,\"page_size\":1,\"total_count\":3}");
        assertThat(get("/api/queues?page=99&page_size=10", "guest:pw").body())
                .isEqualTo("{\"error\":\"page_out_of_range\",\"reason\":\"Page out of range, page: 99 page size: 10, "
                        + "len: 3\"}");
        assertThat(get("/api/queues?page=1&name=(&use_regex=true", "guest:pw").body())
                .isEqualTo("{\"error\":\"bad_request\",\"reason\":\"Pagination parameters are invalid\"}");
    }

    @Test
    void statisticsCanBeSwitchedOff() throws Exception {
        NODE.shows("/queues/%2F/plain?disable_stats=true", Samples.queues().get(2));
        assertThat(get("/api/queues/%2F/plain?disable_stats=true", "guest:pw").body())
                .isEqualTo("{\"arguments\":{},\"auto_delete\":false,\"durable\":true,\"exclusive\":false,"
                        + "\"name\":\"plain\",\"node\":\"rabbit3@localhost\",\"state\":\"running\",\"type\":\"classic\","
                        + "\"vhost\":\"/\"}");
    }

    @Test
    void whetherAVhostIsThereIsAskedWithoutItsStatistics() throws Exception {
        assertThat(get("/api/vhosts/%2F/connections?columns=name", "guest:pw").body())
                .isEqualTo("[{\"name\":\"c1\"},{\"name\":\"c2\"}]");
        assertThat(NODE.received())
                .extracting(FakeNode.Received::target)
                .containsExactly("/vhosts/%2F?disable_stats=true", "/connections");
    }

    @Test
    void oddNamesReachTheNodeAsTheyAre() throws Exception {
        call("PUT", "/api/queues/a%2Fb/orders%2F..%2F..%2Fapi%2Foverview", "guest:pw", "{\"durable\":true}");
        call("PUT", "/api/queues/%252f/a+b%20c%3Bd%25", "guest:pw", "{}");
        assertThat(NODE.changes())
                .extracting(FakeNode.Received::target)
                .containsExactly("/queues/a%2Fb/orders%2F..%2F..%2Fapi%2Foverview", "/queues/%252f/a%2Bb%20c%3Bd%25");
        assertThat(NODE.changes().get(0).body()).contains("\"durable\":true").contains("\"arguments\":{}");
    }

    @Test
    void bodiesAreReadWhateverTheirTypeSays() throws Exception {
        HttpRequest request = request("PUT", "/api/policies/%2F/p", "guest:pw", POLICY)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .build();
        assertThat(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(201);
        HttpRequest plain = request("PUT", "/api/policies/%2F/new", "guest:pw", POLICY)
                .setHeader("Accept", "text/plain")
                .build();
        assertThat(HTTP.send(plain, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(406);
    }

    @Test
    void allowNamesTheMethodsThatAre() throws Exception {
        assertThat(call("PATCH", "/api/policies/%2F/p", "guest:pw", "{}")
                        .headers()
                        .firstValue("allow"))
                .hasValueSatisfying(allow -> assertThat(allow.split(", "))
                        .containsExactlyInAnyOrder("HEAD", "GET", "PUT", "DELETE", "OPTIONS"));
    }

    private HttpResponse<String> get(String path, String user) throws Exception {
        return call("GET", path, user, "");
    }

    private HttpResponse<String> call(String method, String path, String user, String body) throws Exception {
        return HTTP.send(request(method, path, user, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String method, String path, String user, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (user != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        }
        return request;
    }
}
