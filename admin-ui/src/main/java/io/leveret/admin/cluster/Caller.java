package io.leveret.admin.cluster;

/** Who is asking, in the request that is being served. */
public interface Caller {
    /** The user's name; empty when nobody has logged in yet. */
    String name();

    /** Through what: "page" or "api". */
    String via();
}
