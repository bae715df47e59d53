package io.leveret.node.amqp.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What connection.start tells of the broker. Every capability of the protocol as clients know it is there. */
final class ServerProperties {
    private static final List<String> CAPABILITIES = List.of(
            "publisher_confirms",
            "exchange_exchange_bindings",
            "basic.nack",
            "consumer_cancel_notify",
            "connection.blocked",
            "consumer_priorities",
            "authentication_failure_close",
            "per_consumer_qos",
            "direct_reply_to");

    private ServerProperties() {}

    static Map<String, @Nullable Object> of(AmqpServerConfig config) {
        Map<String, @Nullable Object> capabilities = new LinkedHashMap<>();
        CAPABILITIES.forEach(each -> capabilities.put(each, true));
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("capabilities", capabilities);
        properties.put("cluster_name", config.clusterName());
        properties.put("copyright", "Copyright (c) the authors of Leveret");
        properties.put("information", "Licensed under the Apache License 2.0");
        properties.put("platform", "Java " + System.getProperty("java.version", "17"));
        properties.put("product", "Leveret");
        properties.put("version", config.version());
        return properties;
    }
}
