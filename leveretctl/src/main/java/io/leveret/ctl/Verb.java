package io.leveret.ctl;

import java.util.List;

/**
 * One command.
 *
 * @param group the heading it is listed under
 * @param usage what follows the name in its usage line
 * @param options the options it takes besides the general ones: {@code --name} for a switch, {@code --name=} for one with a
 *     value
 * @param argumentsMin fewest positional arguments
 * @param argumentsMax most positional arguments
 */
record Verb(
        String name,
        String group,
        String summary,
        String usage,
        List<String> options,
        int argumentsMin,
        int argumentsMax,
        Action action) {
    static final int ANY_NUMBER = Integer.MAX_VALUE;

    /** What the command does. */
    @FunctionalInterface
    interface Action {
        /** Prints its output; a failure is an exception. */
        void run(Call call);
    }

    /** A verb without options or arguments of its own. */
    static Verb plain(String name, String group, String summary, Action action) {
        return new Verb(name, group, summary, "", List.of(), 0, 0, action);
    }

    String usageLine(String program) {
        return program + " [--node <node>] [--longnames] [--quiet] " + name + (usage.isEmpty() ? "" : " " + usage);
    }
}
