package io.leveret.model.view;

/** Which routing keys a user may write and read at a topic exchange, as regular expressions. */
public record TopicPermissionView(String user, String vhost, String exchange, String write, String read) {}
