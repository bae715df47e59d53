package io.leveret.admin.web;

import java.nio.charset.StandardCharsets;
import org.springframework.web.util.UriUtils;

/** Addresses of pages. */
public final class Paths {
    private Paths() {}

    /** A queue's page. */
    public static String queue(String vhost, String name) {
        return object("queue", vhost, name);
    }

    /** An exchange's page. */
    public static String exchange(String vhost, String name) {
        return object("exchange", vhost, name.isEmpty() ? Words.DEFAULT_EXCHANGE : name);
    }

    /** A name that no path can hold goes into the query. */
    private static String object(String kind, String vhost, String name) {
        return isSegment(vhost) && isSegment(name)
                ? "/" + kind + "s/" + encoded(vhost) + "/" + encoded(name)
                : "/" + kind + "?vhost=" + encoded(vhost) + "&name=" + encoded(name);
    }

    private static boolean isSegment(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.chars().noneMatch(Character::isISOControl);
    }

    /** A policy in the form. */
    public static String editPolicy(String path, String vhost, String name) {
        return "/" + path + "?in=" + encoded(vhost) + "&edit=" + encoded(name) + "#edit";
    }

    /** The history of one object. */
    public static String history(String kind, String vhost, String name) {
        return "/history?kind=" + encoded(kind) + "&vhost=" + encoded(vhost) + "&name=" + encoded(name);
    }

    public static String encoded(String text) {
        return UriUtils.encode(text, StandardCharsets.UTF_8);
    }
}
