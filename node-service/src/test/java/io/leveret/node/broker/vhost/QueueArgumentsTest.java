package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.QueueName;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueArgumentsTest {
    private static String fault(String name, Object value) {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put(name, value);
        return QueueArguments.fault(QueueName.of("/", "q"), arguments).orElse("");
    }

    private static String invalid(String name, String what) {
        return "invalid arg '" + name + "' for queue 'q' in vhost '/': " + what;
    }

    @Test
    void everyFaultIsToldInTheKnownWords() {
        Object[][] rows = {
            {"x-message-ttl", "x", "\"expected integer, got longstr\""},
            {"x-message-ttl", -1, "{value_negative,-1}"},
            {"x-message-ttl", 1.5, "\"expected integer, got double\""},
            {"x-message-ttl", true, "\"expected integer, got bool\""},
            {"x-message-ttl", null, "\"expected integer, got void\""},
            {"x-message-ttl", 1099511627776L, "{value_too_large,1099511627776}"},
            {"x-expires", 0, "{value_zero,0}"},
            {"x-expires", -1, "{value_negative,-1}"},
            {"x-expires", 1099511627776L, "{value_too_large,1099511627776}"},
            {"x-max-length", -1, "{value_negative,-1}"},
            {"x-max-length-bytes", "x", "\"expected integer, got longstr\""},
            {"x-max-priority", 256, "{max_value_exceeded,256}"},
            {"x-max-priority", (byte) -1, "{value_negative,-1}"},
            {"x-dead-letter-routing-key", "k", "routing_key_but_no_dlx_defined"},
            {"x-dead-letter-routing-key", 5, "{unacceptable_type,signedint}"},
            {"x-dead-letter-strategy", "bogus", "invalid_dlx_strategy"},
            {"x-overflow", "bogus", "invalid_overflow"},
            {"x-overflow", 5, "{unacceptable_type,signedint}"},
            {"x-queue-mode", "bogus", "\"unsupported queue mode 'bogus'\""},
            {"x-queue-mode", 5, "{unacceptable_type,signedint}"},
            {"x-queue-type", "bogus", "\"unsupported queue type 'bogus'\""},
            {"x-single-active-consumer", "x", "{unacceptable_type,longstr}"},
            {"x-queue-version", 3, "\"unsupported queue version '3'\""},
            {"x-queue-version", "x", "\"expected integer, got longstr\""},
        };
        for (Object[] row : rows) {
            assertThat(fault((String) row[0], row[1])).isEqualTo(invalid((String) row[0], (String) row[2]));
        }
        assertThat(fault("x-dead-letter-exchange", 5))
                .isEqualTo("invalid type 'signedint' for arg 'x-dead-letter-exchange' in queue 'q' in vhost '/'");
        assertThat(fault("x-dead-letter-exchange", null))
                .isEqualTo("invalid type 'void' for arg 'x-dead-letter-exchange' in queue 'q' in vhost '/'");
        assertThat(fault("x-delivery-limit", 5))
                .isEqualTo("invalid arg 'x-delivery-limit' for queue 'q' in vhost '/' of queue type"
                        + " rabbit_classic_queue");
    }

    @Test
    void whatIsAllowedIsAllowed() {
        Object[][] rows = {
            {"x-message-ttl", 0},
            {"x-expires", (short) 1},
            {"x-max-length", 0L},
            {"x-max-priority", 255},
            {"x-dead-letter-exchange", "nosuch"},
            {"x-overflow", "reject-publish-dlx"},
            {"x-dead-letter-strategy", "at-least-once"},
            {"x-queue-mode", "lazy"},
            {"x-queue-type", "classic"},
            {"x-single-active-consumer", true},
            {"x-queue-version", 2},
            {"x-queue-master-locator", 5},
            {"x-unknown-arg", Map.of("nested", 1)},
            {"unknown", null}
        };
        for (Object[] row : rows) {
            assertThat(fault((String) row[0], row[1])).as("%s", row[0]).isEmpty();
        }
    }
}
