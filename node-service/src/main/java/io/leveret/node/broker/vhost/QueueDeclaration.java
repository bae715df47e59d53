package io.leveret.node.broker.vhost;

import java.util.Map;

/**
 * What queue.declare asks for.
 *
 * @param isServerNamed the name was made by {@link VirtualHost#generateName}, so the reserved prefix is right
 */
public record QueueDeclaration(
        String name,
        boolean isServerNamed,
        boolean isDurable,
        boolean isExclusive,
        boolean isAutoDelete,
        Map<String, Object> arguments) {}
