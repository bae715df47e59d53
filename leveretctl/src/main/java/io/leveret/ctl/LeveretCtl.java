package io.leveret.ctl;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The command line of a Leveret cluster, with the verbs, options, output and exit codes that users of rabbitmqctl know. It
 * speaks to the control API of one node.
 */
public final class LeveretCtl {
    private static final int DEFAULT_TIMEOUT_SECONDS = 60;
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final String program;

    LeveretCtl(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.program = environment.getOrDefault("LEVERET_CTL_NAME", "leveretctl");
    }

    /** Runs one command and ends the process with its status. */
    public static void main(String[] arguments) {
        PrintStream out = stream(FileDescriptor.out);
        PrintStream err = stream(FileDescriptor.err);
        int status = new LeveretCtl(System.getenv(), out, err).run(arguments);
        out.flush();
        err.flush();
        System.exit(status);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }

    /** Runs one command. @return the exit status */
    int run(String[] arguments) {
        String name = CommandLineParser.verb(arguments);
        Verb verb = Verbs.find(name);
        if (verb == null) {
            return unknown(name);
        }
        try {
            CommandLineParser.Parts parts = CommandLineParser.parse(verb, arguments);
            if (parts.options().containsKey("help")) {
                out.print(Help.of(verb, program));
                return 0;
            }
            verb.action().run(call(verb, parts));
            return 0;
        } catch (UsageFailure e) {
            err.println(String.valueOf(e.getMessage()).replace("%s", program));
            err.println("Arguments given:\n\t" + String.join(" ", arguments));
            err.println("\n" + BOLD + "Usage" + PLAIN + "\n\n" + verb.usageLine(program));
            return e.status();
        } catch (CtlFailure e) {
            err.println(e.getMessage());
            return e.status();
        } catch (NodeUnreachable e) {
            err.println(e.getMessage());
            return CtlFailure.UNAVAILABLE;
        }
    }

    private Call call(Verb verb, CommandLineParser.Parts parts) {
        String formatter = parts.options().getOrDefault("formatter", "table");
        if (!Listing.FORMATTERS.contains(formatter)) {
            throw new UsageFailure(
                    "Error (argument validation): Invalid options for this command:\n--formatter : " + formatter);
        }
        String seconds = parts.options().getOrDefault("timeout", Integer.toString(DEFAULT_TIMEOUT_SECONDS));
        String here =
                environment.getOrDefault("LEVERET_NODE", environment.getOrDefault("LEVERET_NODE_NAME", "rabbit1"));
        String node = parts.options().getOrDefault("node", here);
        NodeAddress address = NodeAddress.of(node, environment);
        int timeout = Integer.parseInt(seconds);
        if (timeout == 0) {
            throw new CtlFailure(
                    CtlFailure.TIMED_OUT,
                    "Error: operation " + verb.name() + " on node " + address.node()
                            + " timed out. Timeout value used: 0");
        }
        // A negative number means to wait for as long as it takes.
        ControlClient client = new ControlClient(address, Math.max(timeout, 0) * 1000);
        return new Call(program, verb, parts.words(), parts.options(), client, out);
    }

    private int unknown(String name) {
        if (!name.isEmpty()) {
            err.println("\nCommand '" + name + "' not found. ");
            String near = Verbs.nearest(name);
            if (near != null) {
                err.println("Did you mean '" + near + "'? ");
                return CtlFailure.USAGE;
            }
        }
        err.print(Help.overview(program));
        return CtlFailure.USAGE;
    }
}
