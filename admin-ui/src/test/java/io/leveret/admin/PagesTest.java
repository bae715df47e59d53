package io.leveret.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.admin.cluster.ControlPath;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.UserLimitsView;
import io.leveret.model.view.VhostLimitsView;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.util.HtmlUtils;

/** The pages without a browser and without script: forms, redirects, who may do what. */
class PagesTest extends AdminTest {
    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final HttpClient http = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    @Test
    void afterLoggingInOneIsWhereOneWantedToBe() throws Exception {
        HttpResponse<String> wanted = get("/queues?safety=one_copy");
        assertThat(wanted.statusCode()).isEqualTo(302);
        assertThat(wanted.headers().firstValue("location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/login"));
        HttpResponse<String> in = logIn("guest", "pw");
        assertThat(in.headers().firstValue("location"))
                .hasValueSatisfying(to -> assertThat(to).contains("/queues?safety=one_copy"));
        assertThat(get("/queues?safety=one_copy").body()).contains(">plain<").doesNotContain(">orders.new<");
    }

    @ParameterizedTest
    @CsvSource({
        "guest,wrong,The user name or the password is wrong.",
        "nosuch,pw,The user name or the password is wrong.",
        "non,pw,non has none of the tags"
    })
    void aRefusedLoginSaysWhyAndNotWhetherTheNameExists(String user, String password, String sentence)
            throws Exception {
        assertThat(logIn(user, password).headers().firstValue("location"))
                .hasValueSatisfying(to -> assertThat(to).contains("/login"));
        assertThat(get("/login").body()).contains(sentence);
    }

    @Test
    void everyPageForbidsInlineScript() throws Exception {
        logIn("guest", "pw");
        HttpResponse<String> page = get("/");
        assertThat(page.headers().firstValue("content-security-policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'self'"));
        assertThat(page.body()).doesNotContain("style=").doesNotContain("onclick");
    }

    @Test
    void aFragmentIsRenderedAlone() throws Exception {
        logIn("guest", "pw");
        HttpResponse<String> rows = send(HttpRequest.newBuilder(uri("/queues"))
                .header("Leveret-Fragment", "queue-rows")
                .build());
        assertThat(rows.body())
                .startsWith("<div class=\"scroll\" id=\"queue-rows\"")
                .doesNotContain("<html");
    }

    @Test
    void aFormWithoutItsTokenChangesNothing() throws Exception {
        logIn("guest", "pw");
        HttpResponse<String> answer =
                post("/queue", Map.of("in", "/", "name", "plain", "do", "purge", "confirm", "plain"));
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(NODE.changes()).isEmpty();
    }

    @Test
    void theOneWhoMonitorsSeesPoliciesAndNoForm() throws Exception {
        logIn("mon", "pw");
        String page = get("/policies").body();
        assertThat(page).contains("^orders\\.").contains("Changing them takes").doesNotContain("id=\"e-pat\"");
        HttpResponse<String> answer = post(
                "/policies",
                Map.of(
                        "_csrf",
                        token(page),
                        "in",
                        "/",
                        "name",
                        "p",
                        "pattern",
                        "^x",
                        "key1",
                        "max-length",
                        "value1",
                        "5",
                        "type1",
                        "Number",
                        "do",
                        "save"));
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("It takes the tag policymaker");
        assertThat(get("/users").statusCode()).isEqualTo(403);
        assertThat(NODE.changes())
                .filteredOn(change -> change.method().equals("PUT"))
                .isEmpty();
    }

    @Test
    void aDeletedPolicyComesBackFromTheHistory() throws Exception {
        logIn("guest", "pw");
        String page = get("/policies").body();
        HttpResponse<String> deleted = post("/policies", Map.of("_csrf", token(page), "in", "/", "delete", "ttl"));
        assertThat(deleted.statusCode()).isEqualTo(302);
        assertThat(get("/policies").body()).contains("Policy ttl in / is deleted.");
        String history = get("/history?kind=policy&vhost=%2F&name=ttl").body();
        Matcher undo = Pattern.compile("/history/([0-9]+)/undo").matcher(history);
        assertThat(undo.find()).isTrue();
        assertThat(history).contains("Undo: make it again").contains("60000");
        NODE.forget();
        post("/history/" + undo.group(1) + "/undo", Map.of("_csrf", token(history)));
        assertThat(NODE.changes()).singleElement().satisfies(put -> {
            assertThat(put.method()).isEqualTo("PUT");
            assertThat(put.target()).isEqualTo("/policies/%2F/ttl");
            assertThat(put.body()).contains("\"message-ttl\":60000").contains("\"priority\":10");
        });
    }

    @Test
    void whatIsDoneToAQueueReachesItsNode() throws Exception {
        logIn("guest", "pw");
        String token = token(get("/queues/%2F/orders.old").body());
        NODE.on("POST /queues/%2F/orders.old/actions", request -> FakeNode.empty(204));
        NODE.on(
                "POST /exchanges/%2F/amq.default/publish",
                request -> FakeNode.json(200, Map.of("routed", true, "confirmed", true)));
        NODE.on(
                "POST /queues/%2F/orders.old/get",
                request -> new FakeNode.Answer(
                        200,
                        "[{\"payload_bytes\":5,\"redelivered\":true,\"exchange\":\"\",\"routing_key\":\"orders.old\","
                                + "\"message_count\":7,\"properties\":{\"type\":\"t\"},\"payload\":\"<b>hi\","
                                + "\"payload_encoding\":\"string\"}]",
                        Map.of()));
        act(token, Map.of("do", "cancel_sync"));
        assertThat(get("/queues/%2F/orders.old").body()).contains("Synchronisation is cancelled.");
        act(token, Map.of("do", "publish", "payload", "hello", "headers", "n = 5, x = y"));
        assertThat(get("/queues/%2F/orders.old").body()).contains("Published, and confirmed by the queue.");
        act(token, Map.of("do", "get", "count", "3", "ackmode", "ack_requeue_true"));
        assertThat(get("/queues/%2F/orders.old").body()).contains("7 remain").contains("&lt;b&gt;hi");
        act(token, Map.of("do", "purge", "confirm", "another"));
        assertThat(get("/queues/%2F/orders.old").body()).contains("Nothing was changed.");
        assertThat(NODE.changes())
                .extracting(FakeNode.Received::body)
                .containsExactly(
                        "{\"action\":\"cancel_sync\"}",
                        "{\"properties\":{\"delivery_mode\":2,\"headers\":{\"n\":5,\"x\":\"y\"}},"
                                + "\"routing_key\":\"orders.old\",\"payload\":\"hello\",\"payload_encoding\":\"string\"}",
                        "{\"count\":3,\"ackmode\":\"ack_requeue_true\",\"encoding\":\"auto\",\"truncate\":50000}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "/connections/c1; What the client says of itself",
                "/channels/c1%20%281%29; Channel of guest in /",
                "/exchanges/%2F/amq.topic; orders.#",
                "/nodes/rabbit1@localhost; Garbage collections",
                "/cluster; Rebalance leaders",
                "/limits; max-channels",
                "/api/index.html; /api/queues/{vhost}/{name}"
            })
    void aDetailPageShowsItsObject(String path, String part) throws Exception {
        logIn("guest", "pw");
        HttpResponse<String> page = get(path);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains(part);
    }

    @Test
    void limitsShowWhatIsUsedAndTheirChangesReachTheNodeAndTheHistory() throws Exception {
        logIn("guest", "pw");
        String page = get("/limits").body();
        assertThat(page).contains("3 of 3", "reached").contains("1 of 1").contains("2 of 50", "room for 48");
        String token = token(page);
        NODE.on("PUT /vhost-limits/%2F/max-queues", request -> FakeNode.empty(204));
        NODE.on("DELETE /user-limits/guest/max-channels", request -> FakeNode.empty(204));
        Map<String, String> fields = new LinkedHashMap<>(Map.of(
                "_csrf", token, "kind", "vhost", "owner", "/", "limit", "max-queues", "value", "12", "do", "set"));
        post("/limits", fields);
        assertThat(get("/limits").body()).contains("The limit max-queues of virtual host / is 12.");
        fields.put("value", "many");
        post("/limits", fields);
        assertThat(get("/limits").body()).contains("Nothing was changed.").contains("“many” is not");
        post(
                "/limits",
                Map.of("_csrf", token, "kind", "user", "owner", "guest", "limit", "max-channels", "do", "clear"));
        assertThat(NODE.changes())
                .extracting(change -> change.method() + " " + change.target() + change.body())
                .containsExactly(
                        "PUT /vhost-limits/%2F/max-queues{\"value\":12}", "DELETE /user-limits/guest/max-channels");
        assertThat(get("/history").body()).contains("set max-queues of", "clear max-channels of");
    }

    @Test
    void onlyWhatLimitsAreAboutIsCounted() throws Exception {
        NODE.shows("/vhost-limits", List.of(new VhostLimitsView("/", Map.of("max-queues", 3))));
        NODE.shows("/user-limits", List.of(new UserLimitsView("guest", Map.of("max-connections", 5))));
        logIn("guest", "pw");
        assertThat(get("/limits").body()).contains("3 of 3", "1 of 5");
        assertThat(NODE.received())
                .extracting(FakeNode.Received::target)
                .contains("/connections")
                .doesNotContain("/channels");
        NODE.shows("/user-limits", List.of());
        NODE.forget();
        assertThat(get("/limits").body()).contains("3 of 3");
        assertThat(NODE.received()).extracting(FakeNode.Received::target).doesNotContain("/connections", "/channels");
    }

    @Test
    void aFormThatChangesSomethingAsksForNothingElse() throws Exception {
        logIn("guest", "pw");
        String token = token(get("/cluster").body());
        NODE.on("POST /rebalance/queues", request -> FakeNode.empty(204));
        post("/cluster", Map.of("_csrf", token, "do", "rebalance"));
        NODE.forget();
        post("/cluster", Map.of("_csrf", token, "do", "rebalance"));
        assertThat(NODE.received()).extracting(FakeNode.Received::target).containsExactly("/rebalance/queues");
    }

    @Test
    void anAlarmStandsOnEveryPage() throws Exception {
        logIn("guest", "pw");
        NODE.shows("/nodes", List.of(Samples.alarmed(Samples.N1)));
        // What the bar says of the nodes is asked again after a moment.
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(get("/queues").body()).contains("Memory alarm on rabbit1: publishers are blocked"));
        HttpResponse<String> line = send(HttpRequest.newBuilder(uri("/queues"))
                .header("Leveret-Fragment", "alarm-line")
                .build());
        assertThat(line.body()).contains("Memory alarm on rabbit1").doesNotContain("<html");
    }

    @Test
    void aChangeIsInTheBarAtOnce() throws Exception {
        logIn("guest", "pw");
        String page = get("/cluster").body();
        assertThat(page).contains("<span>shop-eu</span>").doesNotContain("value=\"just-made\"");
        String token = token(page);
        NODE.on("PUT /cluster-name", request -> {
            NODE.shows("/overview", Samples.overview("renamed"));
            return FakeNode.empty(204);
        });
        NODE.on("PUT /vhosts/just-made", request -> {
            NODE.shows("/vhosts", List.of(Samples.vhost("/"), Samples.vhost("just-made")));
            return FakeNode.empty(201);
        });
        post("/cluster", Map.of("_csrf", token, "do", "name", "name", "renamed"));
        assertThat(get("/queues").body()).contains("<span>renamed</span>");
        post("/vhosts", Map.of("_csrf", token, "name", "just-made"));
        assertThat(get("/queues").body()).contains("<option value=\"just-made\"");
    }

    @Test
    void theBarIsFreshenedAlone() throws Exception {
        logIn("guest", "pw");
        HttpResponse<String> pill = send(HttpRequest.newBuilder(uri("/queues"))
                .header("Leveret-Fragment", "health")
                .build());
        assertThat(pill.body()).startsWith("<a").contains("nodes · ").doesNotContain("<html");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "50% off", "a b;c+d", "a\\b", "?&#=", "{x}\"<", ".", "..", "tab\there", "ä"})
    void anExchangeOfAnyNameHasItsPage(String name) throws Exception {
        logIn("guest", "pw");
        String target = ControlPath.of("exchanges", "/", name.isEmpty() ? "amq.default" : name)
                .target()
                .substring("/control".length());
        BindingView toExchange = new BindingView(name, "/", name, BindingView.TO_EXCHANGE, "", Map.of(), "~");
        NODE.shows("/exchanges", List.of(Samples.exchange(name, "topic")));
        NODE.shows(target, Samples.exchange(name, "topic"));
        NODE.shows(target + "/bindings/source", List.of(toExchange));
        NODE.shows(target + "/bindings/destination", List.of(toExchange));
        NODE.on("POST " + target + "/publish", request -> FakeNode.json(200, Map.of("routed", true)));
        String link = link(get("/exchanges").body(), "Exchanges, scrolls sideways");
        String page = get(link).body();
        assertThat(page).contains("Exchange of type topic in /.");
        assertThat(link(page, "Bindings from this exchange")).isEqualTo(link);
        assertThat(link(page, "Bindings to this exchange")).isEqualTo(link);
        Map<String, String> fields = hidden(page.substring(page.indexOf("Publish message")));
        fields.put("do", "publish");
        assertThat(page(post("/exchange", fields))).contains("Published, and confirmed");
        if (name.isEmpty()) {
            return;
        }
        String bindings =
                ControlPath.of("bindings", "/", "e", name, "e", name).target().substring("/control".length());
        NODE.on("DELETE " + bindings + "/%7E", request -> FakeNode.empty(204));
        NODE.on("POST " + bindings, request -> FakeNode.empty(201));
        fields = hidden(page.substring(page.indexOf("Bindings from this exchange")));
        fields.put("do", "unbind");
        assertThat(page(post("/exchange", fields))).contains("Unbound from ");
        fields.put("do", "bind");
        assertThat(page(post("/exchange", fields))).contains("Bound to ");
    }

    /** The first link in the part of a page with this label. */
    private static String link(String page, String label) {
        int start = page.indexOf(label);
        assertThat(start).as(label).isPositive();
        Matcher link =
                Pattern.compile("<th scope=\"row\"[^>]*><a href=\"([^\"]*)\"").matcher(page);
        assertThat(link.find(start)).as("a link after " + label).isTrue();
        return HtmlUtils.htmlUnescape(link.group(1));
    }

    /** The hidden fields of the first form in a part of a page. */
    private static Map<String, String> hidden(String part) {
        String form = part.substring(part.indexOf("<form"), part.indexOf("</form>"));
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher field = Pattern.compile("type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\"")
                .matcher(form);
        while (field.find()) {
            fields.put(field.group(1), HtmlUtils.htmlUnescape(field.group(2)));
        }
        return fields;
    }

    /** The page that a form leads to. */
    private String page(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(302);
        String to = answer.headers().firstValue("location").orElseThrow();
        return get(URI.create(to).isAbsolute() ? to.substring(to.indexOf('/', "http://".length())) : to)
                .body();
    }

    @Test
    void theFootLeadsToTheListOfTheHttpApi() throws Exception {
        logIn("guest", "pw");
        Matcher link = Pattern.compile("<a href=\"([^\"]*)\">HTTP API</a>")
                .matcher(get("/queues").body());
        assertThat(link.find()).isTrue();
        assertThat(get(link.group(1)).body()).contains("/api/queues/{vhost}/{name}");
    }

    @Test
    void aPageThatIsNotThereAndAClusterThatDoesNotAnswerSaySo() throws Exception {
        logIn("guest", "pw");
        assertThat(get("/queues/%2F/nosuch").statusCode()).isEqualTo(404);
        assertThat(get("/nosuch").body()).contains("There is no such page");
        NODE.on("GET /users", request -> FakeNode.refused(503, "unavailable", "no majority"));
        HttpResponse<String> users = get("/users");
        assertThat(users.statusCode()).isEqualTo(503);
        assertThat(users.body()).contains("No node answers").contains("no majority");
    }

    private void act(String token, Map<String, String> fields) throws Exception {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.put("_csrf", token);
        all.put("in", "/");
        all.put("name", "orders.old");
        assertThat(post("/queue", all).statusCode()).isEqualTo(302);
    }

    private HttpResponse<String> logIn(String user, String password) throws Exception {
        String token = token(get("/login").body());
        return post("/login", Map.of("_csrf", token, "username", user, "password", password));
    }

    private static String token(String page) {
        Matcher matcher = TOKEN.matcher(page);
        assertThat(matcher.find()).as("a token in the page").isTrue();
        return matcher.group(1);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(
                HttpRequest.newBuilder(uri(path)).header("Accept", "text/html").build());
    }

    private HttpResponse<String> post(String path, Map<String, String> fields) throws Exception {
        StringBuilder form = new StringBuilder();
        fields.forEach((name, value) -> form.append(form.length() == 0 ? "" : "&")
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form.toString()))
                .build());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
