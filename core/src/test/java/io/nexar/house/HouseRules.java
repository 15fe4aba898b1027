package io.nexar.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

/**
 * The rules of the house, over any root package, so that a planted house can break each of them.
 */
final class HouseRules {
    private static final Map<String, Set<String>> CLOCKS =
            Map.of(
                    "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
                    "java.time.Instant", Set.of("now"),
                    "java.time.LocalDate", Set.of("now"),
                    "java.time.LocalDateTime", Set.of("now"),
                    "java.time.ZonedDateTime", Set.of("now"),
                    "java.time.OffsetDateTime", Set.of("now"),
                    "java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system"));

    private static final Map<String, Set<String>> OUTSIDE_SETTINGS =
            Map.of(
                    "java.lang.System", Set.of("getenv", "getProperty", "getProperties"),
                    "java.lang.Boolean", Set.of("getBoolean"),
                    "java.lang.Integer", Set.of("getInteger"),
                    "java.lang.Long", Set.of("getLong"));

    private static final Map<String, Set<String>> THREAD_STARTERS =
            Map.of(
                    "java.lang.Thread", Set.of("start", "startVirtualThread"),
                    "java.lang.Thread$Builder", Set.of("start", "factory"),
                    "java.lang.Thread$Builder$OfPlatform", Set.of("start", "factory"),
                    "java.lang.Thread$Builder$OfVirtual", Set.of("start", "factory"),
                    "java.util.concurrent.ForkJoinPool", Set.of("commonPool"));

    private final Rooms rooms;

    HouseRules(String root) {
        this.rooms = new Rooms(root);
    }

    ArchRule eachClassLiesInARoom() {
        return classes().should(rooms.lieInARoom());
    }

    ArchRule roomsUseOnlyLowerRooms() {
        return classes().should(rooms.useOnlyLowerRooms());
    }

    ArchRule onlySocketTransportsKnowNetty() {
        return noClasses()
                .that(outside("transport.net", "transport.quic", "transport.tcp"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..");
    }

    ArchRule onlySecurityKnowsBouncyCastle() {
        return noClasses()
                .that(outside("security"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bouncycastle..");
    }

    ArchRule onlyDevicesAndSharedMemoryCallNativeCode() {
        return noClasses()
                .that(outside("device", "transport.shm"))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker");
    }

    ArchRule onlyConfigReadsTheEnvironment() {
        return noClasses()
                .that(outside("config"))
                .should()
                .accessTargetWhere(calls(OUTSIDE_SETTINGS, "reads the environment or a property"));
    }

    ArchRule onlyTheRuntimeReadsTheClock() {
        return noClasses()
                .that(outside("runtime"))
                .should()
                .accessTargetWhere(
                        calls(CLOCKS, "reads the clock")
                                .or(
                                        matching(
                                                "makes a java.util.Date of now",
                                                access ->
                                                        access instanceof JavaConstructorCall call
                                                                && isOwner(call, "java.util.Date")
                                                                && parametersOf(call).isEmpty())));
    }

    /**
     * BufferChecks makes a thread that is never started: it asks whether memory is open to all.
     * ShmEndpoint and TurnKeeper start the one that they are given a factory for, as event loops
     * do.
     */
    ArchRule onlyTheRuntimeStartsThreads() {
        return noClasses()
                .that(outside("runtime"))
                .and()
                .doNotHaveSimpleName("BufferChecks")
                .and()
                .doNotHaveSimpleName("ShmEndpoint")
                .and()
                .doNotHaveSimpleName("TurnKeeper")
                .should()
                .accessTargetWhere(
                        calls(THREAD_STARTERS, "starts a thread")
                                .or(matching("starts threads", HouseRules::makesThreads)));
    }

    /** Pitfall 83: a message that is decoded by Java serialization runs the sender's code. */
    ArchRule nothingIsSerializedByJava() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectOutputStream");
    }

    ArchRule noStaticFieldCanChange() {
        return fields().that().areStatic().should().beFinal().allowEmptyShould(true);
    }

    ArchRule theLogIsTheJdks() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.slf4j..", "java.util.logging..", "io.netty.util.internal.logging..")
                .orShould()
                .accessTargetWhere(
                        matching(
                                "prints",
                                access ->
                                        access.getTargetOwner().isEquivalentTo(System.class)
                                                && Set.of("out", "err")
                                                        .contains(access.getName())));
    }

    ArchRule theJvmIsTheUsers() {
        return noClasses()
                .should()
                .accessTargetWhere(
                        calls(
                                Map.of(
                                        "java.lang.System", Set.of("exit"),
                                        "java.lang.Runtime", Set.of("exit", "halt")),
                                "ends the JVM"));
    }

    private DescribedPredicate<JavaClass> outside(String... names) {
        return DescribedPredicate.describe(
                "lie outside " + List.of(names), type -> !rooms.isIn(type, names));
    }

    private static DescribedPredicate<JavaAccess<?>> calls(
            Map<String, Set<String>> methods, String description) {
        return matching(
                description,
                access ->
                        methods.getOrDefault(access.getTargetOwner().getName(), Set.of())
                                .contains(access.getName()));
    }

    private static DescribedPredicate<JavaAccess<?>> matching(
            String description, Predicate<JavaAccess<?>> predicate) {
        return DescribedPredicate.describe(description, predicate);
    }

    /** A new thread, a pool, a timer; an event loop group that is not given its threads. */
    private static boolean makesThreads(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        if (isOwner(access, "java.util.concurrent.Executors")) {
            return true;
        }
        if (!(access instanceof JavaConstructorCall call)) {
            return false;
        }
        if (owner.getSimpleName().equals("TurnLoop")) {
            return false; // An event loop without a thread: whoever holds its turn drives it.
        }
        if (owner.isAssignableTo("io.netty.channel.EventLoopGroup")) {
            return parametersOf(call).stream()
                    .noneMatch(type ->
                            type.isAssignableTo(Executor.class)
                                    || type.isAssignableTo(ThreadFactory.class)
                                    || type.isEquivalentTo(Thread.class));
        }
        return owner.isAssignableTo(Thread.class)
                || owner.isAssignableTo("java.util.Timer")
                || isPool(owner);
    }

    /** An abstract one has no threads: whoever extends it gives them. */
    private static boolean isPool(JavaClass owner) {
        return owner.isAssignableTo("java.util.concurrent.AbstractExecutorService")
                && !owner.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    private static boolean isOwner(JavaAccess<?> access, String name) {
        return access.getTargetOwner().getName().equals(name);
    }

    private static List<JavaClass> parametersOf(JavaCall<?> call) {
        return call.getTarget().getRawParameterTypes();
    }
}
