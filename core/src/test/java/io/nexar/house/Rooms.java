package io.nexar.house;

import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rooms of the library and their levels, as docs/architecture.md tells them. A class lies in
 * the room with the longest name that its package begins with.
 *
 * @param root the package that all rooms lie in: {@code io.nexar}, or a planted house in tests
 */
record Rooms(String root) {
    /** Levels times ten, so that what the socket transports share fits between two of them. */
    private static final Map<String, Integer> LEVELS =
            Map.ofEntries(
                    entry("", 0),
                    entry("spi", 0),
                    entry("config", 10),
                    entry("observe", 10),
                    entry("memory", 10),
                    entry("wire", 10),
                    entry("collective.plan", 10),
                    entry("security", 20),
                    entry("reduce", 20),
                    entry("compress", 20),
                    entry("serial", 20),
                    entry("transport", 20),
                    entry("transport.net", 25),
                    entry("transport.local", 30),
                    entry("transport.shm", 30),
                    entry("transport.quic", 30),
                    entry("transport.tcp", 30),
                    entry("device", 30),
                    entry("fabric", 40),
                    entry("rendezvous", 50),
                    entry("membership", 50),
                    entry("collective", 60),
                    entry("rpc", 60),
                    entry("communicator", 70),
                    entry("runtime", 80));

    /** The doors of the house: they hand a user's call to the room that does the work. */
    private static final Set<String> ENTRY_CLASSES = Set.of("Nexar", "LocalCluster", "NexarConfig");

    /** The name of a class's room, without the root; empty for a package that is no room. */
    Optional<String> roomOf(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals(root)) {
            return Optional.of("");
        }
        if (!name.startsWith(root + ".")) {
            return Optional.empty();
        }
        String room = name.substring(root.length() + 1);
        while (!LEVELS.containsKey(room)) {
            int dot = room.lastIndexOf('.');
            if (dot < 0) {
                return Optional.empty();
            }
            room = room.substring(0, dot);
        }
        return Optional.of(room);
    }

    boolean isIn(JavaClass type, String... rooms) {
        return roomOf(type).filter(Set.of(rooms)::contains).isPresent();
    }

    boolean isInside(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(root) || name.startsWith(root + ".");
    }

    private boolean isEntry(JavaClass type) {
        JavaClass outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        return outermost.getPackageName().equals(root)
                && ENTRY_CLASSES.contains(outermost.getSimpleName());
    }

    private boolean mayUse(JavaClass from, JavaClass to) {
        if (isEntry(from) || !isInside(to)) {
            return true;
        }
        Optional<String> user = roomOf(from);
        Optional<String> used = roomOf(to);
        if (user.isEmpty() || used.isEmpty()) {
            return false;
        }
        int userLevel = LEVELS.getOrDefault(user.get(), 0);
        int usedLevel = LEVELS.getOrDefault(used.get(), 0);
        boolean bothContract = userLevel == 0 && usedLevel == 0;
        return user.equals(used) || bothContract || usedLevel < userLevel;
    }

    /** Each dependency of a class leads to its own room or to one of a lower level. */
    ArchCondition<JavaClass> useOnlyLowerRooms() {
        return new ArchCondition<>("use only lower rooms") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (!mayUse(type, target)) {
                        events.add(
                                SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    /** Each class lies in a room of the table. */
    ArchCondition<JavaClass> lieInARoom() {
        return new ArchCondition<>("lie in a room of the table") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (roomOf(type).isEmpty()) {
                    events.add(
                            SimpleConditionEvent.violated(
                                    type, type.getName() + " lies in a package that is no room"));
                }
            }
        };
    }
}
