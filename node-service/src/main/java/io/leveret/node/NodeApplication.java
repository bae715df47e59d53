package io.leveret.node;

import io.leveret.node.control.ControlApi;
import io.leveret.node.runtime.FatalFaultHandler;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.http.HttpServlet;
import java.util.HashMap;
import java.util.Map;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** The process of a node: settings from the environment, the control API, and the broker inside. */
@SpringBootApplication
public class NodeApplication {
    /** The exit status for settings that cannot be used: EX_CONFIG of sysexits. */
    private static final int EXIT_CONFIG = 78;

    private static final int EXIT_FAILED = 1;

    @SuppressWarnings("IllegalCatch") // the edge of the process: whatever keeps it from starting is told in one line
    public static void main(String[] arguments) {
        NodeConfig config;
        try {
            config = NodeConfig.fromEnvironment(System.getenv());
        } catch (NodeConfig.ConfigException | IllegalArgumentException e) {
            end(EXIT_CONFIG, e);
            return;
        }
        SpringApplication application = new SpringApplication(NodeApplication.class);
        Map<String, Object> properties = new HashMap<>();
        properties.put("server.port", config.self().controlPort());
        properties.put("server.address", config.clusterInterface());
        if (config.tls() != null) {
            properties.putAll(config.tls().bundles());
        }
        application.setDefaultProperties(properties);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("nodeConfig", config));
        try {
            application.run(arguments);
        } catch (Exception e) {
            end(EXIT_FAILED, root(e));
        }
    }

    private static Throwable root(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static void end(int status, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        System.err.println("this node cannot start: " + reason.replace('\n', ' '));
        System.exit(status);
    }

    @Bean(destroyMethod = "stopBroker")
    NodeProcess nodeProcess(
            NodeConfig config,
            ApplicationContext context,
            SslBundles bundles,
            @Value("${leveret.version}") String version) {
        TlsSettings tls = config.tls();
        return new NodeProcess(
                config,
                new FatalFaultHandler(),
                version,
                tls == null ? null : new TlsContexts(bundles, tls.authorities() != null),
                isReady -> AvailabilityChangeEvent.publish(
                        context, isReady ? ReadinessState.ACCEPTING_TRAFFIC : ReadinessState.REFUSING_TRAFFIC));
    }

    @Bean
    MeterBinder nodeMeters(NodeProcess process) {
        return new NodeMeters(process);
    }

    /** Answers from the start of the process on, whatever the broker does. */
    @Bean
    ServletRegistrationBean<HttpServlet> controlServlet(NodeProcess process, NodeConfig config) {
        return new ServletRegistrationBean<>(
                ControlApi.servlet(process, config.secret(), new SystemClock(), new SecureRandomness()),
                ControlApi.PATH);
    }

    /** Names may hold a slash, which stands encoded in a path. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
        return factory -> factory.addConnectorCustomizers(connector -> {
            connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
            connector.setEncodedReverseSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        });
    }

    /** The process counts as ready when the broker takes connections, which may have to wait for other nodes. */
    @Bean
    ApplicationRunner brokerRunner(NodeProcess process) {
        return arguments -> process.startBroker();
    }
}
