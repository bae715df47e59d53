package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Export and import of all that is declared. */
final class DefinitionVerbs {
    private static final String GROUP = "Definitions";
    private static final Pattern NO_VHOST = Pattern.compile("(?i)v(?:irtual )?host '([^']*)' does not exist");

    private DefinitionVerbs() {}

    static List<Verb> all() {
        return List.of(
                new Verb(
                        "export_definitions",
                        GROUP,
                        "Exports definitions in JSON",
                        "<file_path | \"-\"> [--format <json | erlang>] [--timeout <timeout>]",
                        List.of("--format="),
                        1,
                        1,
                        DefinitionVerbs::export),
                new Verb(
                        "import_definitions",
                        GROUP,
                        "Imports definitions in JSON",
                        "<file_path | \"-\"> [--format <json | erlang>] [--skip-if-unchanged] [--timeout <timeout>]",
                        List.of("--format=", "--skip-if-unchanged"),
                        0,
                        1,
                        DefinitionVerbs::importFile));
    }

    private static void export(Call call) {
        Path folder = Path.of(call.argument(0)).toAbsolutePath().getParent();
        boolean isToScreen = call.argument(0).equals("-");
        if (!isToScreen && (folder == null || !Files.isDirectory(folder))) {
            throw UsageFailure.badArgument("Directory " + folder + " does not exist");
        }
        if (!call.options().getOrDefault("format", "json").equals("json")) {
            throw UsageFailure.badArgument("only the format json is written");
        }
        JsonNode definitions = call.client().get("/definitions");
        if (isToScreen) {
            call.print(definitions.toString());
            return;
        }
        call.say("Exporting definitions in JSON to a file at \"" + call.argument(0) + "\" ...");
        try {
            Files.writeString(Path.of(call.argument(0)), definitions.toString());
        } catch (IOException e) {
            throw CtlFailure.error(CtlFailure.SOFTWARE, "cannot write " + call.argument(0) + ": " + e.getMessage());
        }
    }

    private static void importFile(Call call) {
        boolean isFromInput = call.arguments().isEmpty() || call.argument(0).equals("-");
        if (!isFromInput && !Files.isReadable(Path.of(call.argument(0)))) {
            throw UsageFailure.badArgument("File " + call.argument(0) + " does not exist");
        }
        call.client().get("/node");
        call.say(
                isFromInput
                        ? "Importing definitions in JSON from standard input ..."
                        : "Importing definitions in JSON from a file at \"" + call.argument(0) + "\" ...");
        Answer answer = call.client().ask("POST", "/definitions", read(call, isFromInput));
        if (!answer.isOk()) {
            Matcher vhost = NO_VHOST.matcher(answer.reason());
            if (vhost.find()) {
                throw CtlFailure.noVhost(vhost.group(1));
            }
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, answer.reason());
        }
        call.say("Successfully started definition import. This process is asynchronous and can take some time.");
    }

    private static JsonNode read(Call call, boolean isFromInput) {
        try {
            String text = isFromInput
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(call.argument(0)));
            return ControlClient.JSON.readTree(text);
        } catch (IOException | JacksonException e) {
            throw CtlFailure.error(
                    CtlFailure.DATA,
                    "Failed to deserialise input (format: JSON) (error: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")");
        }
    }
}
