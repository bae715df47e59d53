package io.leveret.model.view;

/** What a user may configure, write and read in a vhost, as regular expressions. */
public record PermissionView(String user, String vhost, String configure, String write, String read) {}
