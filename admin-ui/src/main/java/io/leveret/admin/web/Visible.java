package io.leveret.admin.web;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Leaves out of a list what its reader may not see. */
public final class Visible {
    private Visible() {}

    /** The elements whose vhost may be seen. */
    public static <T> List<T> in(List<T> all, Function<T, String> vhost, Predicate<String> maySee) {
        return all.stream().filter(one -> maySee.test(vhost.apply(one))).toList();
    }
}
