package io.leveret.ctl;

/** The texts of help. */
final class Help {
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final int NAME_WIDTH = 30;

    private Help() {}

    /** How to use the program, and all commands. */
    static String overview(String program) {
        return "\n" + BOLD + "Usage" + PLAIN + "\n\n" + program
                + " [--node <node>] [--timeout <timeout>] [--longnames] [--quiet] <command> [<command options>]\n\n"
                + "Available commands:\n" + commands() + "\nUse '" + program
                + " help <command>' to learn more about a specific command\n";
    }

    /** All commands by group. */
    static String commands() {
        StringBuilder text = new StringBuilder();
        String group = "";
        for (Verb verb : Verbs.ALL) {
            if (!verb.group().equals(group)) {
                group = verb.group();
                text.append('\n').append(BOLD).append(group).append(PLAIN).append(":\n\n");
            }
            text.append(String.format("   %-" + NAME_WIDTH + "s%s%n", verb.name(), verb.summary()));
        }
        return text.toString();
    }

    /** One command. */
    static String of(Verb verb, String program) {
        return "\n" + BOLD + "Usage" + PLAIN + "\n\n" + verb.usageLine(program) + "\n\n" + verb.summary() + ".\n\n"
                + BOLD + "General Options" + PLAIN + "\n\n"
                + "The following options are accepted by most or all commands.\n\n"
                + "short            | long          | description\n"
                + "-----------------|---------------|--------------------------------\n"
                + "-?               | --help        | displays command help\n"
                + "-n <node>        | --node <node> | connect to node <node>\n"
                + "-t               | --timeout <n> | for commands that support it, operation timeout in seconds\n"
                + "-q               | --quiet       | suppress informational messages\n"
                + "-s               | --silent      | suppress informational messages\n"
                + "                                 | and table header row\n"
                + "-p               | --vhost       | for commands that are scoped to a virtual host,\n"
                + "                 |               | virtual host to use\n"
                + "                 | --formatter   | table, json, csv, pretty_table\n";
    }
}
