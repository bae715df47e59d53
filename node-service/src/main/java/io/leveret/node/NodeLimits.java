package io.leveret.node;

import io.leveret.model.ByteSize;
import io.leveret.node.NodeConfig.ConfigException;
import io.leveret.node.NodeConfig.Settings;
import io.leveret.node.amqp.server.ServerLimits;
import io.leveret.node.runtime.MemoryWatch;
import io.leveret.node.runtime.ResourceWatch;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a node takes, and when it raises its alarms, from environment variables named as RabbitMQ names its settings. Watermarks are
 * an amount ({@code 2GB}), or with a decimal point a part of the machine's memory ({@code 0.4}); null: the usual one.
 *
 * @param channelMax channels of one connection, offered to clients
 */
record NodeLimits(
        ServerLimits server,
        int channelMax,
        @Nullable String memoryHighWatermark,
        @Nullable String diskFreeLimit) {
    private static final String MEMORY = "LEVERET_VM_MEMORY_HIGH_WATERMARK";
    private static final String DISK = "LEVERET_DISK_FREE_LIMIT";
    private static final int CHANNELS_USUAL = 2047;
    private static final int CHANNELS_MOST = 65_535;

    /**
     * @param heapBytes what the heap may grow to
     * @throws ConfigException when one is wrong
     */
    static NodeLimits of(Map<String, String> environment, long heapBytes) {
        Settings settings = new Settings(environment);
        ServerLimits usual = ServerLimits.usual(heapBytes);
        long channels = number(settings, "LEVERET_CHANNEL_MAX", CHANNELS_USUAL, 0, CHANNELS_MOST);
        long message = number(
                settings, "LEVERET_MAX_MESSAGE_SIZE", usual.messageBytesMax(), 1, ServerLimits.MESSAGE_BYTES_MOST);
        NodeLimits limits = new NodeLimits(
                new ServerLimits(
                        number(settings, "LEVERET_CONNECTION_MAX", -1, 0, Integer.MAX_VALUE),
                        number(settings, "LEVERET_CHANNEL_MAX_PER_NODE", -1, 0, Integer.MAX_VALUE),
                        (int) message),
                channels == 0 ? CHANNELS_MOST : (int) channels,
                settings.given(MEMORY),
                settings.given(DISK));
        watermark(MEMORY, limits.memoryHighWatermark, 1, 1);
        watermark(DISK, limits.diskFreeLimit, 1, Long.MAX_VALUE);
        return limits;
    }

    private static long number(Settings settings, String name, long fallback, long least, long most) {
        String value = settings.given(name);
        if (value == null || (fallback < 0 && value.equals("infinity"))) {
            return fallback;
        }
        OptionalLong number = ByteSize.parse(value);
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
            throw new ConfigException(name + ": '" + value + "' is not a number within " + least + " to " + most);
        }
        return number.getAsLong();
    }

    /** Sets what was given; the rest stays as it is. */
    void applyTo(MemoryWatch memory, ResourceWatch disk) {
        if (memoryHighWatermark != null) {
            memory.setLimitBytes(watermark(MEMORY, memoryHighWatermark, memory.physicalBytes(), 1));
        }
        if (diskFreeLimit != null) {
            disk.setLowBytes(watermark(DISK, diskFreeLimit, memory.physicalBytes(), Long.MAX_VALUE));
        }
    }

    private static long watermark(String name, @Nullable String text, long memoryBytes, double most) {
        if (text == null) {
            return 0;
        }
        if (text.contains(".")) {
            double part = part(text);
            if (part >= 0 && part <= most) {
                return (long) (memoryBytes * part);
            }
        } else if (ByteSize.parse(text).isPresent()) {
            return ByteSize.parse(text).getAsLong();
        }
        throw new ConfigException(
                name + ": '" + text + "' is neither an amount, as 2GB, nor a part of the memory, as 0.4");
    }

    private static double part(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
