package io.leveret.ctl;

/** The command line is wrong: the text is followed by the arguments as given and the verb's usage. */
final class UsageFailure extends RuntimeException {
    private final int status;

    UsageFailure(String text) {
        this(CtlFailure.USAGE, text);
    }

    UsageFailure(int status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    static UsageFailure badArgument(String what) {
        return new UsageFailure(CtlFailure.DATA, "Error (argument validation): Bad argument: " + what);
    }

    int status() {
        return status;
    }
}
