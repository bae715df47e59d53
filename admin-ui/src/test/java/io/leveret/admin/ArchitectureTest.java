package io.leveret.admin;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may import whom. A feature imports no other feature; all may read the history. */
class ArchitectureTest {
    private static final String ROOT = "io.leveret.admin.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.leveret.admin");
    private static final List<String> FEATURES = List.of(
            "overview",
            "node",
            "vhost",
            "exchange",
            "binding",
            "connection",
            "user",
            "definitions",
            "queue",
            "limit",
            "policy",
            "parameter");

    @Test
    void aFeatureImportsNoOtherFeature() {
        for (String feature : FEATURES) {
            String[] others = FEATURES.stream()
                    .filter(other -> !other.equals(feature))
                    .map(other -> ROOT + other)
                    .toArray(String[]::new);
            noClasses()
                    .that(resideInAPackage(ROOT + feature))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(others))
                    .check(CLASSES);
        }
    }

    @Test
    void onlyTheHistoryKnowsTheDatabase() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "history")
                .should()
                .dependOnClassesThat(resideInAnyPackage("jakarta.persistence..", "org.springframework.data.."))
                .check(CLASSES);
    }

    @Test
    void onlyTheClusterSpeaksHttpToNodes() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "cluster")
                .should()
                .dependOnClassesThat(resideInAPackage("java.net.http.."))
                .check(CLASSES);
    }

    @Test
    void noChangeGoesAroundTheHistory() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "cluster", ROOT + "history")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("NodeClient")
                .check(CLASSES);
    }

    @Test
    void thereAreNoCycles() {
        slices().matching("io.leveret.admin.(*)..").should().beFreeOfCycles().check(CLASSES);
    }
}
