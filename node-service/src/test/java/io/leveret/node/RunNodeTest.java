package io.leveret.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bin/run-node hands to the JVM. */
class RunNodeTest {
    @TempDir
    Path folder;

    private String locale(Map<String, String> given) throws IOException, InterruptedException {
        Path java = folder.resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$LC_MESSAGES, ${LC_CTYPE-none}, ${LC_ALL-none}\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        ProcessBuilder builder = new ProcessBuilder("../bin/run-node");
        // The shell grumbles of locales that this machine does not have.
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(each -> each.startsWith("LC_"));
        builder.environment().putAll(given);
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }

    /** The journal knows a full disk by the text of the operating system. */
    @Test
    void theOperatingSystemSpeaksEnglishAndFileNamesKeepTheirEncoding() throws IOException, InterruptedException {
        assertThat(locale(Map.of())).isEqualTo("C, none, none");
        assertThat(locale(Map.of("LC_MESSAGES", "de_DE.UTF-8", "LC_CTYPE", "fr_FR.UTF-8")))
                .isEqualTo("C, fr_FR.UTF-8, none");
        assertThat(locale(Map.of("LC_ALL", "de_DE.UTF-8"))).isEqualTo("C, de_DE.UTF-8, none");
    }
}
