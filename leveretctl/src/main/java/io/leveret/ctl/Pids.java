package io.leveret.ctl;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;

/**
 * What scripts expect where a broker on another runtime shows process ids: {@code <node.number.number.0>}. Scripts read the node
 * from it, and hand it back to close_connection; the numbers only tell things of a node apart.
 */
final class Pids {
    private Pids() {}

    static String ofQueue(JsonNode queue, String node) {
        return pid(
                node,
                queue.path("vhost").asString("") + "/" + queue.path("name").asString(""));
    }

    static String ofConnection(JsonNode connection) {
        return pid(
                connection.path("node").asString(""),
                connection.path("name").asString("") + connection.path("connected_at"));
    }

    static String ofChannel(String node, String channelName) {
        return pid(node, channelName);
    }

    private static String pid(String node, String what) {
        CRC32 crc = new CRC32();
        crc.update(what.getBytes(StandardCharsets.UTF_8));
        long value = crc.getValue();
        return "<" + node + "." + (value >>> 16) + "." + (value & 0xffff) + ".0>";
    }
}
