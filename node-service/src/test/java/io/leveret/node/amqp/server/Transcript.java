package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConnectionMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Conversations with a broker, as text. A scenario is a title and lines:
 *
 * <pre>
 * re-declare durable=false
 * $ queue.declare {q} durable                    sent; one answer comes, which is no refusal
 * > queue.declare {q}                            sent
 * &lt; channel.close 406 … (50,10) on 1              the next frame; … stands for any text
 * b$ queue.purge eq                              the same on another connection, called b
 * 2> channel.open                                on channel 2
 * as ro                                          the user of the connections that are opened from here on
 * </pre>
 *
 * Connections are opened when they are first named, with channel 1. {@code {q}} is a name that no other scenario has. What a
 * close method ended is then tried: a channel takes nothing until its close is agreed on, and can be opened again after it.
 */
final class Transcript {
    private static final Pattern LINE = Pattern.compile("(?<client>[b-z]?)(?<channel>\\d*)(?<kind>[$><]) ?(?<text>.*)");

    private Transcript() {}

    /** One conversation. */
    record Scenario(String file, int number, String title, List<String> lines) {
        @Override
        public String toString() {
            return file + ": " + title;
        }

        void play(int port) throws IOException {
            try (Stage stage = new Stage(port)) {
                for (String line : lines) {
                    stage.play(line.replace("{q}", file + number));
                }
                stage.end();
            } catch (AssertionError e) {
                throw new AssertionError(this + "\n" + String.join("\n", lines) + "\n" + e.getMessage(), e);
            }
        }
    }

    /** The scenarios of {@code refusals/<name>.txt}. */
    static List<Scenario> read(String name) {
        String text;
        try (var in = Transcript.class.getResourceAsStream("/refusals/" + name + ".txt")) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Scenario> scenarios = new ArrayList<>();
        for (String block : text.split("\\n\\s*\\n")) {
            List<String> lines = block.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
            if (!lines.isEmpty()) {
                scenarios.add(new Scenario(name, scenarios.size(), lines.get(0), lines.subList(1, lines.size())));
            }
        }
        return scenarios;
    }

    static Stream<Scenario> readAll(String... names) {
        return Stream.of(names).flatMap(name -> read(name).stream());
    }

    /** The connections of one scenario. */
    private static final class Stage implements AutoCloseable {
        private final int port;
        private final Map<String, RawClient> clients = new HashMap<>();
        private String user = "guest";
        private String lastClient = "";
        private String lastFrame = "";

        Stage(int port) {
            this.port = port;
        }

        void play(String line) throws IOException {
            if (line.startsWith("as ")) {
                user = line.substring(3);
                return;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException("not a line of a transcript: " + line);
            }
            lastClient = parts.group("client");
            RawClient client = client(lastClient);
            String channel = parts.group("channel");
            String text = parts.group("text");
            switch (parts.group("kind")) {
                case "<" -> {
                    lastFrame = client.next();
                    assertThat(lastFrame).as(line).matches(pattern(text));
                }
                case "$" -> {
                    Commands.send(client, channel.isEmpty() ? 1 : Integer.parseInt(channel), text);
                    if (!text.startsWith("publish ")) {
                        assertThat(client.next()).as(line).doesNotContain(".close ", "end");
                    }
                }
                default -> {
                    if (text.equals("reset")) {
                        client.reset();
                    } else {
                        Commands.send(client, channel.isEmpty() ? 1 : Integer.parseInt(channel), text);
                    }
                }
            }
        }

        private static Pattern pattern(String text) {
            return Pattern.compile(
                    Stream.of(text.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                    Pattern.DOTALL);
        }

        private RawClient client(String name) throws IOException {
            RawClient known = clients.get(name);
            if (known == null) {
                known = RawClient.withChannel(port, user);
                clients.put(name, known);
            }
            return known;
        }

        /** What follows the last frame must fit to it. */
        void end() throws IOException {
            RawClient client = client(lastClient);
            Matcher channelClose =
                    Pattern.compile("channel\\.close .* on (\\d+)").matcher(lastFrame);
            if (channelClose.matches()) {
                int channel = Integer.parseInt(channelClose.group(1));
                Commands.send(client, channel, "channel.flow active");
                Commands.send(client, channel, "publish \"\" nosuch mandatory");
                client.send(channel, new ChannelMethod.CloseOk()).send(channel, new ChannelMethod.Open());
                assertThat(client.next()).isEqualTo("OpenOk[]");
                Commands.send(client, channel, "channel.flow active");
                assertThat(client.next()).isEqualTo("FlowOk[isActive=true]");
            } else if (lastFrame.startsWith("connection.close")) {
                Commands.send(client, 1, "channel.flow active");
                client.send(0, new ConnectionMethod.CloseOk());
                assertThat(client.next()).isEqualTo("end");
            }
        }

        @Override
        public void close() throws IOException {
            for (RawClient each : clients.values()) {
                each.close();
            }
        }
    }
}
