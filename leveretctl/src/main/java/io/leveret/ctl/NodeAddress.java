package io.leveret.ctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a node's control API is, and the secret to speak to it: {@code LEVERET_SECRET_FILE}, or else {@code
 * LEVERET_SECRET}, as the nodes read them. The address is {@code LEVERET_CONTROL} (host:port); or else what {@code
 * LEVERET_INITIAL_MEMBERS} says of the node, as in a node's own container; or else the rule that node {@code <letters>N@host}
 * listens on port 15680+N of its host.
 *
 * @param node the full name
 */
record NodeAddress(String node, String host, int port, String secret) {
    private static final int PORT_BASE = 15680;
    /** Of {@code name=host:link:hazelcast:raft:control}. */
    private static final int CONTROL_PART = 4;

    /** @param name with or without {@code @host} */
    static NodeAddress of(String name, Map<String, String> environment) {
        String secret = secret(environment);
        String control = environment.get("LEVERET_CONTROL");
        String node = name.contains("@") ? name : name + "@localhost";
        if (control != null && !control.isBlank()) {
            int colon = control.lastIndexOf(':');
            return new NodeAddress(
                    node, control.substring(0, colon), Integer.parseInt(control.substring(colon + 1)), secret);
        }
        for (String member :
                environment.getOrDefault("LEVERET_INITIAL_MEMBERS", "").split(",")) {
            String known = member.substring(0, Math.max(0, member.indexOf('='))).strip();
            if (known.equals(name) || known.startsWith(name + "@")) {
                return ofMember(known, member.substring(member.indexOf('=') + 1).strip(), secret);
            }
        }
        String host = node.substring(node.indexOf('@') + 1);
        return new NodeAddress(node, host.equals("localhost") ? "127.0.0.1" : host, byRule(node), secret);
    }

    /** @param where host, or host and all ports */
    private static NodeAddress ofMember(String node, String where, String secret) {
        String[] parts = where.split(":", -1);
        return new NodeAddress(
                node,
                parts[0],
                parts.length > CONTROL_PART ? Integer.parseInt(parts[CONTROL_PART]) : PORT_BASE + 1,
                secret);
    }

    private static int byRule(String node) {
        String digits = node.substring(0, node.indexOf('@')).replaceAll(".*?([0-9]{1,4})$", "$1");
        return digits.matches("[0-9]+") ? PORT_BASE + Integer.parseInt(digits) : PORT_BASE + 1;
    }

    private static String secret(Map<String, String> environment) {
        String file = environment.getOrDefault("LEVERET_SECRET_FILE", "");
        String secret = environment.getOrDefault("LEVERET_SECRET", "");
        if (file.isBlank() && !secret.isBlank()) {
            return secret.strip();
        }
        Path path = Path.of(file.isBlank() ? ".leveret/secret" : file.strip());
        try {
            return Files.readString(path, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new CtlFailure(
                    CtlFailure.UNAVAILABLE,
                    "Error: the cluster's secret cannot be read from " + path
                            + ". Set LEVERET_SECRET_FILE or LEVERET_SECRET.");
        }
    }
}
