package io.nexar.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Holds the library to the rules of the house, and shows that a planted fault breaks each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HouseRulesTest {
    private static final String PLANTED = "io.nexar.house.planted";

    /** How a violation by one of the planted house's sound members begins. */
    private static final Pattern SOUND =
            Pattern.compile("\\w+ <[\\w.]*\\.(Sound\\w+|Nexar|sound\\w+)\\b");

    private JavaClasses library;
    private JavaClasses planted;

    /** A rule, and the planted class that breaks it. */
    record Claim(String name, Function<HouseRules, ArchRule> rule, String offender) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Claim> claims() {
        return Stream.of(
                new Claim(
                        "each class lies in a room",
                        HouseRules::eachClassLiesInARoom,
                        "attic.Hidden"),
                new Claim(
                        "rooms use only lower rooms",
                        HouseRules::roomsUseOnlyLowerRooms,
                        "wire.LooksUp"),
                new Claim(
                        "equal levels do not meet",
                        HouseRules::roomsUseOnlyLowerRooms,
                        "rpc.LooksAside"),
                new Claim(
                        "only socket transports know Netty",
                        HouseRules::onlySocketTransportsKnowNetty,
                        "fabric.KnowsNetty"),
                new Claim(
                        "only security knows BouncyCastle",
                        HouseRules::onlySecurityKnowsBouncyCastle,
                        "fabric.KnowsBouncyCastle"),
                new Claim(
                        "only devices and shm call native code",
                        HouseRules::onlyDevicesAndSharedMemoryCallNativeCode,
                        "memory.CallsDown"),
                new Claim(
                        "only config reads the environment",
                        HouseRules::onlyConfigReadsTheEnvironment,
                        "memory.ReadsEnvironment"),
                new Claim(
                        "only the runtime reads the clock",
                        HouseRules::onlyTheRuntimeReadsTheClock,
                        "membership.ReadsClock"),
                new Claim(
                        "only the runtime makes dates of now",
                        HouseRules::onlyTheRuntimeReadsTheClock,
                        "security.MakesDate"),
                new Claim(
                        "only the runtime starts threads",
                        HouseRules::onlyTheRuntimeStartsThreads,
                        "fabric.StartsThread"),
                new Claim(
                        "only the runtime starts virtual threads",
                        HouseRules::onlyTheRuntimeStartsThreads,
                        "fabric.StartsVirtualThread"),
                new Claim(
                        "only the runtime makes pools",
                        HouseRules::onlyTheRuntimeStartsThreads,
                        "fabric.MakesPool"),
                new Claim(
                        "event loops are given their threads",
                        HouseRules::onlyTheRuntimeStartsThreads,
                        "transport.quic.MakesEventLoop"),
                // Pitfall 83: no Java serialization can be reached.
                new Claim(
                        "nothing is serialized by Java",
                        HouseRules::nothingIsSerializedByJava,
                        "serial.ReadsObjects"),
                new Claim(
                        "no static field can change",
                        HouseRules::noStaticFieldCanChange,
                        "reduce.KeepsState"),
                new Claim("the log is the JDK's", HouseRules::theLogIsTheJdks, "reduce.Prints"),
                new Claim("the JVM is the user's", HouseRules::theJvmIsTheUsers, "reduce.EndsJvm"));
    }

    @BeforeAll
    void importClasses() {
        library =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.nexar");
        planted = new ClassFileImporter().importPackages(PLANTED);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void theLibraryKeepsTheRule(Claim claim) {
        claim.rule().apply(new HouseRules("io.nexar")).check(library);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aPlantedFaultBreaksTheRule(Claim claim) {
        List<String> details =
                claim.rule()
                        .apply(new HouseRules(PLANTED))
                        .evaluate(planted)
                        .getFailureReport()
                        .getDetails();
        assertThat(details).anyMatch(detail -> detail.contains(PLANTED + "." + claim.offender()));
    }

    @Test
    void soundClassesOfThePlantedHouseBreakNothing() {
        List<String> details =
                claims().flatMap(claim ->
                                claim
                                        .rule()
                                        .apply(new HouseRules(PLANTED))
                                        .evaluate(planted)
                                        .getFailureReport()
                                        .getDetails()
                                        .stream())
                        .toList();
        assertThat(details).isNotEmpty().noneMatch(detail -> SOUND.matcher(detail).lookingAt());
    }

    @Test
    void theLibraryWasImported() {
        assertThat(library.stream().map(JavaClass::getPackageName))
                .contains("io.nexar", "io.nexar.runtime", "io.nexar.wire")
                .noneMatch(name -> name.startsWith("io.nexar.house"));
    }
}
