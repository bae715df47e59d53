package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * What a node's process holds after its garbage was collected.
 *
 * @param heapBytes live objects
 * @param residentBytes of the whole process
 */
record Footprint(long heapBytes, long residentBytes) {
    private static final long MIB = 1 << 20;

    /** Collects and measures, with the tools of the JDK that runs the tests. */
    static Footprint of(long pid) throws Exception {
        run("jcmd", String.valueOf(pid), "GC.run");
        String[] lines = run("jstat", "-gc", String.valueOf(pid)).strip().split("\n");
        String[] names = lines[0].strip().split("\\s+");
        String[] values = lines[1].strip().split("\\s+");
        double kilobytes = 0;
        for (int i = 0; i < names.length; i++) {
            if (names[i].matches("S0U|S1U|EU|OU")) {
                kilobytes += Double.parseDouble(values[i].replace(',', '.'));
            }
        }
        return new Footprint((long) (kilobytes * 1024), resident(pid));
    }

    private static long resident(long pid) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }

    private static String run(String tool, String... words) throws Exception {
        String[] command = new String[words.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", tool).toString();
        System.arraycopy(words, 0, command, 1, words.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", tool).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    @Override
    public String toString() {
        return "heap " + heapBytes / MIB + " MiB, resident " + residentBytes / MIB + " MiB";
    }
}
