package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JavaCommandTest {
    private static final String LEAKS = "io.netty.leakDetection.level";

    private final @Nullable String before = System.getProperty(LEAKS);

    @AfterEach
    void restore() {
        set(before);
    }

    @Test
    void ranksLookForLostBuffersOnlyWhereTheCommandLineDoes() {
        set(null);
        assertThat(JavaCommand.ofRank("a.Main")).contains("-D" + LEAKS + "=disabled");

        set("paranoid");
        assertThat(JavaCommand.ofRank("a.Main"))
                .contains("-D" + LEAKS + "=paranoid")
                .doesNotContain("-D" + LEAKS + "=disabled");
    }

    private static void set(@Nullable String level) {
        if (level == null) {
            System.clearProperty(LEAKS);
        } else {
            System.setProperty(LEAKS, level);
        }
    }
}
