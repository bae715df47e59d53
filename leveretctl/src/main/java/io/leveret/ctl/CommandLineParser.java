package io.leveret.ctl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Splits a command line into verb, options and arguments. Options may stand anywhere. */
final class CommandLineParser {
    private static final List<String> GENERAL = List.of(
            "-n=node",
            "-p=vhost",
            "-t=timeout",
            "-q quiet",
            "-s silent",
            "-l longnames",
            "-? help",
            "-h help",
            "=formatter",
            " no-table-headers",
            " table-headers",
            " dry-run",
            "=printer",
            "=erlang-cookie");

    private CommandLineParser() {}

    /** The parts of a command line; options by long name. */
    record Parts(List<String> words, Map<String, String> options) {}

    /** Splits what anybody could mean, before the verb is known. */
    static String verb(String[] arguments) {
        List<String> words = parse(generalOptions(), arguments, true).words();
        return words.isEmpty() ? "" : words.get(0);
    }

    /** Splits a command line of a known verb. */
    static Parts parse(Verb verb, String[] arguments) {
        Map<String, OptionSpec> specs = generalOptions();
        for (String option : verb.options()) {
            boolean hasValue = option.endsWith("=");
            String name = option.substring(2, hasValue ? option.length() - 1 : option.length());
            specs.put(name, spec(hasValue, "--" + name));
        }
        Parts parts = parse(specs, arguments, false);
        List<String> rest = parts.words().subList(1, parts.words().size());
        checkNumber(parts.options(), "priority");
        checkNumber(parts.options(), "timeout");
        if (rest.size() < verb.argumentsMin()) {
            throw new UsageFailure("Error (argument validation): not enough arguments.");
        }
        if (rest.size() > verb.argumentsMax()) {
            throw new UsageFailure("Error (argument validation): too many arguments.");
        }
        return new Parts(rest, parts.options());
    }

    private static Map<String, OptionSpec> generalOptions() {
        Map<String, OptionSpec> specs = new LinkedHashMap<>();
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (String general : GENERAL) {
            boolean hasValue = general.contains("=");
            int split = general.indexOf(hasValue ? '=' : ' ');
            String longName = general.substring(split + 1);
            List<String> all = names.computeIfAbsent(longName, key -> new ArrayList<>(List.of("--" + key)));
            if (split > 0) {
                all.add(general.substring(0, split));
            }
            specs.put(longName, spec(hasValue, all.toArray(String[]::new)));
        }
        return specs;
    }

    private static OptionSpec spec(boolean hasValue, String... names) {
        OptionSpec.Builder builder = OptionSpec.builder(names);
        return hasValue
                ? builder.arity("1").type(String.class).build()
                : builder.arity("0").type(boolean.class).build();
    }

    private static Parts parse(Map<String, OptionSpec> specs, String[] arguments, boolean isLenient) {
        CommandSpec command = CommandSpec.create();
        specs.values().forEach(command::addOption);
        command.addPositional(PositionalParamSpec.builder()
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .build());
        CommandLine line = new CommandLine(command)
                .setUnmatchedArgumentsAllowed(true)
                .setOverwrittenOptionsAllowed(true)
                .setTrimQuotes(false)
                .setExpandAtFiles(false);
        try {
            ParseResult result = line.parseArgs(arguments);
            List<String> unknown = result.unmatched();
            if (!unknown.isEmpty() && !isLenient) {
                throw invalid(unknown.get(0), "");
            }
            Map<String, String> options = new LinkedHashMap<>();
            specs.forEach((name, spec) -> {
                if (result.hasMatchedOption(spec)) {
                    options.put(name, spec.arity().max() == 0 ? "" : String.valueOf(spec.<Object>getValue()));
                }
            });
            List<String> words = result.matchedPositionalsSet().stream()
                    .flatMap(positional -> positional.originalStringValues().stream())
                    .toList();
            return new Parts(words, options);
        } catch (CommandLine.ParameterException e) {
            throw new UsageFailure("Error (argument validation): " + e.getMessage());
        }
    }

    private static void checkNumber(Map<String, String> options, String name) {
        String value = options.get(name);
        if (value != null && !value.matches("-?[0-9]{1,9}")) {
            throw invalid("--" + name, value);
        }
    }

    private static UsageFailure invalid(String option, String value) {
        return new UsageFailure(
                "Error (argument validation): Invalid options for this command:\n" + option + " : " + value);
    }
}
