package io.leveret.ctl;

/** The command cannot be carried out: the text for standard error, and the exit status that scripts look at. */
final class CtlFailure extends RuntimeException {
    /** Wrong use of the command (EX_USAGE). */
    static final int USAGE = 64;
    /** What was named does not exist (EX_DATAERR). */
    static final int DATA = 65;
    /** There is no such user (EX_NOUSER). */
    static final int NO_USER = 67;
    /** The node refused, or is not there (EX_UNAVAILABLE). */
    static final int UNAVAILABLE = 69;
    /** Something else is wrong (EX_SOFTWARE). */
    static final int SOFTWARE = 70;
    /** It took too long (EX_TEMPFAIL). */
    static final int TIMED_OUT = 75;

    private final int status;

    CtlFailure(int status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    /** The usual form: a line saying that there is an error, then what it is. */
    static CtlFailure error(int status, String what) {
        return new CtlFailure(status, "Error:\n" + what);
    }

    static CtlFailure noVhost(String vhost) {
        return new CtlFailure(DATA, "Virtual host '" + vhost + "' does not exist");
    }

    int status() {
        return status;
    }
}
