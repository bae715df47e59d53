package io.leveret.admin;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The management plane: HTTP API, pages and history. It holds no broker state; run any number of it. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class AdminApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(AdminApplication.class, arguments);
    }
}
