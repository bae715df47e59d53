package io.leveret.node.cluster.membership;

import com.hazelcast.config.MemberAttributeConfig;
import io.leveret.model.NodeName;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A member as attributes: text by key. */
final class MemberAttributes {
    private static final String NODE = "node";
    private static final String STORE = "store";
    private static final String BOOT = "boot";
    private static final String VERSION = "version";
    private static final String TICK = "net_ticktime";
    private static final String ADDRESS = "address.";

    private MemberAttributes() {}

    static void write(MemberAttributeConfig attributes, Member member) {
        attributes.setAttribute(NODE, member.node().value());
        attributes.setAttribute(STORE, member.storeId().toString());
        attributes.setAttribute(BOOT, Long.toString(member.boot()));
        attributes.setAttribute(VERSION, member.version());
        attributes.setAttribute(TICK, Integer.toString(member.tickSeconds()));
        member.addresses().forEach((purpose, address) -> attributes.setAttribute(ADDRESS + purpose, address));
    }

    /** Null when they are not those of a node of ours. */
    static @Nullable Member read(Map<String, String> attributes) {
        try {
            Map<String, String> addresses = new TreeMap<>();
            attributes.forEach((key, value) -> {
                if (key.startsWith(ADDRESS)) {
                    addresses.put(key.substring(ADDRESS.length()), value);
                }
            });
            return new Member(
                    new NodeName(attributes.getOrDefault(NODE, "")),
                    UUID.fromString(attributes.getOrDefault(STORE, "")),
                    Long.parseLong(attributes.getOrDefault(BOOT, "")),
                    attributes.getOrDefault(VERSION, ""),
                    Integer.parseInt(attributes.getOrDefault(TICK, "")),
                    Map.copyOf(addresses));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
