package io.leveret.admin.cluster;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Builds the client of the nodes. */
@Configuration(proxyBeanMethods = false)
class ClusterConfiguration {
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    NodeClient nodeClient(ClusterSettings settings, Caller caller, Clock clock) {
        return new NodeClient(settings, caller, mapper(), clock);
    }

    /** A newer node may send more than this version knows, an older one less. */
    static JsonMapper mapper() {
        return JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
    }
}
