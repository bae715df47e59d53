package io.leveret.node.cluster.membership;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InterfacesConfig;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.config.TcpIpConfig;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperty;

/** The settings of Hazelcast: all that knows members is on, all else is off. */
final class HazelcastTuning {
    /** A closed connection is believed after this many failed attempts, this long apart. */
    private static final int CONNECTION_FAULTS_MAX = 3;

    private static final int CONNECTION_FAULT_MILLIS = 100;
    private static final int CONNECT_SECONDS_MAX = 2;
    private static final int MERGE_SECONDS = 5;
    /** Nothing is partitioned; few partitions cost few messages. */
    private static final int PARTITIONS = 3;

    private static final String NO_CLASS = "io.leveret.none";
    /**
     * Members answer each other with exceptions, and these come as serialised objects. "Not yet, ask again" is one that matters:
     * a member that cannot read it waits for seconds before it takes over from the one that died.
     */
    private static final String[] ANSWERS_OF_MEMBERS = {
        "com.hazelcast.spi.exception.RetryableException",
        "com.hazelcast.spi.exception.RetryableHazelcastException",
        "com.hazelcast.spi.exception.CallerNotMemberException",
        "com.hazelcast.spi.exception.TargetNotMemberException",
        "com.hazelcast.spi.exception.WrongTargetException",
        "com.hazelcast.core.HazelcastException",
        "com.hazelcast.core.HazelcastInstanceNotActiveException",
        "com.hazelcast.core.OperationTimeoutException",
        "java.lang.IllegalStateException",
        "java.lang.RuntimeException",
        "java.lang.Exception",
        "java.lang.Throwable",
        "java.lang.StackTraceElement",
        "[Ljava.lang.StackTraceElement;",
        "java.util.Collections$EmptyList",
        "java.util.CollSer",
    };

    private HazelcastTuning() {}

    static Config of(MembershipSettings settings) {
        Config config = new Config();
        config.setClusterName(settings.clusterName());
        config.setInstanceName(
                "leveret " + settings.self().node() + " " + settings.self().boot() + " " + settings.port());
        config.setProperty(ClusterProperty.LOGGING_TYPE.getName(), "slf4j");
        network(config, settings);
        liveness(config, settings);
        nothingElse(config);
        MemberAttributes.write(config.getMemberAttributeConfig(), settings.self());
        return config;
    }

    private static void network(Config config, MembershipSettings settings) {
        // An endpoint for members alone: a client is refused, so nobody can bring code through one.
        AdvancedNetworkConfig network = config.getAdvancedNetworkConfig();
        network.setEnabled(true);
        InterfacesConfig only = new InterfacesConfig();
        only.setEnabled(true).addInterface(settings.host());
        ServerSocketEndpointConfig endpoint = new ServerSocketEndpointConfig();
        endpoint.setPort(settings.port()).setPortAutoIncrement(false).setReuseAddress(true);
        endpoint.setInterfaces(only);
        network.setMemberEndpointConfig(endpoint);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        TcpIpConfig join = network.getJoin().getTcpIpConfig();
        join.setEnabled(true);
        join.setConnectionTimeoutSeconds(CONNECT_SECONDS_MAX);
        settings.seeds().forEach(join::addMember);
        set(config, ClusterProperty.SOCKET_BIND_ANY, false);
    }

    private static void liveness(Config config, MembershipSettings settings) {
        set(config, ClusterProperty.HEARTBEAT_INTERVAL_SECONDS, settings.heartbeatSeconds());
        set(config, ClusterProperty.MAX_NO_HEARTBEAT_SECONDS, settings.self().tickSeconds());
        set(config, ClusterProperty.CONNECTION_MONITOR_INTERVAL, CONNECTION_FAULT_MILLIS);
        set(config, ClusterProperty.CONNECTION_MONITOR_MAX_FAULTS, CONNECTION_FAULTS_MAX);
        set(config, ClusterProperty.MERGE_FIRST_RUN_DELAY_SECONDS, MERGE_SECONDS);
        set(config, ClusterProperty.MERGE_NEXT_RUN_DELAY_SECONDS, MERGE_SECONDS);
        set(config, ClusterProperty.WAIT_SECONDS_BEFORE_JOIN, 0);
        set(config, ClusterProperty.MAX_WAIT_SECONDS_BEFORE_JOIN, 1);
        set(config, ClusterProperty.EVENT_THREAD_COUNT, 1);
    }

    private static void nothingElse(Config config) {
        set(config, ClusterProperty.PHONE_HOME_ENABLED, false);
        set(config, ClusterProperty.SHUTDOWNHOOK_ENABLED, false);
        set(config, ClusterProperty.METRICS_ENABLED, false);
        set(config, ClusterProperty.ENABLE_JMX, false);
        set(config, ClusterProperty.HEALTH_MONITORING_LEVEL, "OFF");
        set(config, ClusterProperty.SLOW_OPERATION_DETECTOR_ENABLED, false);
        set(config, ClusterProperty.PARTITION_COUNT, PARTITIONS);
        set(config, ClusterProperty.PARTITION_OPERATION_THREAD_COUNT, 2);
        set(config, ClusterProperty.GENERIC_OPERATION_THREAD_COUNT, 2);
        set(config, ClusterProperty.IO_THREAD_COUNT, 1);
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.getManagementCenterConfig()
                .setScriptingEnabled(false)
                .setConsoleEnabled(false)
                .setDataAccessEnabled(false);
        config.getSerializationConfig().setJavaSerializationFilterConfig(allowing(ANSWERS_OF_MEMBERS));
        // An allow list of a class that does not exist allows none.
        config.getSqlConfig().setJavaReflectionFilterConfig(allowing(NO_CLASS));
    }

    private static JavaSerializationFilterConfig allowing(String... classes) {
        JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig();
        filter.setDefaultsDisabled(true);
        filter.getWhitelist().addClasses(classes);
        return filter;
    }

    private static void set(Config config, HazelcastProperty property, Object value) {
        config.setProperty(property.getName(), String.valueOf(value));
    }
}
