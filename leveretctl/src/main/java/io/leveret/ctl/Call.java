package io.leveret.ctl;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One use of a verb.
 *
 * @param program the name that the command was called by
 * @param arguments positional ones
 * @param options by long name, without dashes; a switch has an empty value
 */
record Call(
        String program,
        Verb verb,
        List<String> arguments,
        Map<String, String> options,
        ControlClient client,
        PrintStream out) {
    private static final String DEFAULT_VHOST = "/";

    String argument(int index) {
        return arguments.get(index);
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    @Nullable
    String option(String name) {
        return options.get(name);
    }

    String vhost() {
        return options.getOrDefault("vhost", DEFAULT_VHOST);
    }

    String node() {
        return client.node();
    }

    /** Whether the format is for people: others get no sentences between the data. */
    boolean isForPeople() {
        String formatter = formatter();
        return formatter.equals("table") || formatter.equals("pretty_table");
    }

    String formatter() {
        return options.getOrDefault("formatter", "table");
    }

    boolean isJson() {
        return formatter().equals("json");
    }

    /** Says what is being done, unless asked not to. */
    void say(String sentence) {
        if (!has("quiet") && !has("silent") && isForPeople()) {
            out.println(sentence);
        }
    }

    /** A line of the result. */
    void print(String line) {
        out.println(line);
    }
}
