package io.leveret.admin.web;

import java.nio.charset.StandardCharsets;
import org.springframework.web.util.UriUtils;

/** Addresses of pages. */
public final class Paths {
    private Paths() {}

    /** A queue's page. A name that no path can hold goes into the query. */
    public static String queue(String vhost, String name) {
        boolean fits = !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.chars().noneMatch(Character::isISOControl)
                && vhost.chars().noneMatch(Character::isISOControl)
                && !vhost.equals(".")
                && !vhost.equals("..");
        return fits
                ? "/queues/" + encoded(vhost) + "/" + encoded(name)
                : "/queue?vhost=" + encoded(vhost) + "&name=" + encoded(name);
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
