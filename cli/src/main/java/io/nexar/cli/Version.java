package io.nexar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import picocli.CommandLine.IVersionProvider;

import java.io.IOException;
import java.io.InputStream;

/** What {@code --version} prints: the versions of Nexar and of the Java that runs it. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        // The build puts the project's version into this file.
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            String version = in == null ? "unknown" : new String(in.readAllBytes(), UTF_8).strip();
            return new String[] {"nexar " + version, "Java " + Runtime.version()};
        }
    }
}
