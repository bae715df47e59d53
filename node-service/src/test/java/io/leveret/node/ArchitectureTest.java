package io.leveret.node;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
    private static final String ROOT = "io.leveret.node.";

    /** The one map of the house: a package, and the packages of ours it may import. */
    private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
            entry("runtime", Set.of()),
            entry("journal", Set.of("runtime")),
            entry("broker.message", Set.of()),
            entry("broker.definitions", Set.of()),
            entry("broker.exchange", Set.of("broker.message", "broker.definitions")),
            entry("broker.queue", Set.of("broker.message", "broker.definitions", "runtime")),
            entry(
                    "broker.vhost",
                    Set.of("broker.message", "broker.definitions", "broker.exchange", "broker.queue", "runtime")),
            entry("broker.auth", Set.of("broker.definitions")),
            entry("amqp.wire", Set.of("broker.message")),
            entry(
                    "amqp.server",
                    Set.of(
                            "amqp.wire",
                            "broker.message",
                            "broker.definitions",
                            "broker.queue",
                            "broker.vhost",
                            "broker.auth",
                            "runtime")),
            entry("cluster.membership", Set.of("runtime")),
            entry("cluster.peer", Set.of("runtime")),
            entry("cluster.metadata", Set.of("broker.definitions", "runtime")),
            entry(
                    "cluster.placement",
                    Set.of("broker.definitions", "cluster.metadata", "cluster.membership", "runtime")),
            entry(
                    "cluster.replication",
                    Set.of(
                            "broker.definitions",
                            "broker.message",
                            "broker.queue",
                            "journal",
                            "cluster.peer",
                            "cluster.metadata",
                            "runtime")),
            entry(
                    "cluster.remote",
                    Set.of(
                            "broker.definitions",
                            "broker.message",
                            "broker.queue",
                            "broker.vhost",
                            "cluster.peer",
                            "cluster.metadata",
                            "cluster.replication",
                            "runtime")),
            entry(
                    "metrics",
                    Set.of(
                            "amqp.server",
                            "broker.definitions",
                            "broker.queue",
                            "broker.vhost",
                            "journal",
                            "cluster.membership",
                            "cluster.metadata",
                            "cluster.replication",
                            "runtime")),
            entry(
                    "control",
                    Set.of(
                            "metrics",
                            "broker.message",
                            "broker.definitions",
                            "broker.queue",
                            "broker.vhost",
                            "broker.auth",
                            "cluster.membership",
                            "cluster.metadata",
                            "cluster.replication",
                            "cluster.remote",
                            "runtime")));

    /** A library, and the only packages that may know it. */
    private static final Map<String, Set<String>> CONFINED = Map.ofEntries(
            entry("io.netty..", Set.of("runtime", "amqp.wire", "amqp.server", "cluster.peer")),
            entry("com.hazelcast..", Set.of("cluster.membership")),
            entry("org.apache.ratis..", Set.of("cluster.metadata")),
            entry("java.nio.channels..", Set.of("journal", "runtime")));

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.leveret.node");

    @TestFactory
    Stream<DynamicTest> packagesImportOnlyWhatTheMapAllows() {
        return MAY_IMPORT.entrySet().stream()
                .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> {
                    String[] allowed = Stream.concat(Stream.of(row.getKey()), row.getValue().stream())
                            .map(name -> ROOT + name)
                            .toArray(String[]::new);
                    noClasses()
                            .that(resideInAPackage(ROOT + row.getKey()))
                            .should()
                            .dependOnClassesThat(
                                    resideInAPackage("io.leveret.node..").and(not(resideInAnyPackage(allowed))))
                            .check(classes);
                }));
    }

    @TestFactory
    Stream<DynamicTest> librariesStayWhereTheyBelong() {
        return CONFINED.entrySet().stream()
                .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> {
                    String[] homes =
                            row.getValue().stream().map(name -> ROOT + name).toArray(String[]::new);
                    noClasses()
                            .that(resideInAPackage("io.leveret.node..").and(not(resideInAnyPackage(homes))))
                            .should()
                            .dependOnClassesThat(resideInAPackage(row.getKey()))
                            .allowEmptyShould(true)
                            .check(classes);
                }));
    }

    @Test
    void nobodyButRuntimeAsksForTimeThreadsOrChance() {
        noClasses()
                .that(not(resideInAPackage(ROOT + "runtime")))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .callConstructor(Random.class, long.class)
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.util.concurrent.Executors.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(classes);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.leveret.node.(*)..").should().beFreeOfCycles().check(classes);
    }

    @Test
    void everyPackageIsOnTheMap() {
        Set<String> found = new java.util.TreeSet<>();
        classes.forEach(c -> found.add(c.getPackageName()));
        found.remove("io.leveret.node");
        org.junit.jupiter.api.Assertions.assertEquals(
                MAY_IMPORT.keySet().stream()
                        .map(n -> ROOT + n)
                        .collect(java.util.stream.Collectors.toCollection(java.util.TreeSet::new)),
                found);
    }
}
