package io.nexar.security;

import io.nexar.ConfigurationException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Files with secrets: mode 0600 from the first moment of their life, never written in place, and
 * refused when anyone but the owner may do anything with them.
 */
final class OwnerOnlyFiles {

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private OwnerOnlyFiles() {}

    static void write(Path file, String text) {
        Path target = file.toAbsolutePath();
        Path directory = target.getParent();
        Path fileName = target.getFileName();
        if (directory == null || fileName == null) {
            throw Refusals.badSetting("file", file, "has no directory to lie in");
        }
        try {
            // The mode is an argument of the creation: a file made first and closed to others later
            // is open in between.
            Path fresh =
                    Files.createTempFile(
                            directory,
                            "." + fileName,
                            ".new",
                            PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            try {
                Files.writeString(fresh, text);
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (UnsupportedOperationException e) {
            throw noPermissions(file);
        } catch (IOException e) {
            throw Refusals.badSetting("file", file, "cannot be written: " + e);
        }
    }

    static String read(Path file, int bytesMax) {
        try {
            requireOwnerOnly(file);
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(bytesMax + 1);
            }
            if (bytes.length > bytesMax) {
                throw Refusals.badSetting(
                        "file", file, "is longer than the " + bytesMax + " bytes allowed");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (UnsupportedOperationException e) {
            throw noPermissions(file);
        } catch (IOException e) {
            throw Refusals.badSetting("file", file, "cannot be read: " + e);
        }
    }

    private static void requireOwnerOnly(Path file) throws IOException {
        Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
        boolean open =
                granted.stream()
                        .anyMatch(
                                p -> p.name().startsWith("GROUP") || p.name().startsWith("OTHER"));
        if (open) {
            throw Refusals.badSetting(
                    "file",
                    file,
                    "holds a secret and is open to others ("
                            + PosixFilePermissions.toString(granted)
                            + "): only its owner may have access, see chmod 600");
        }
    }

    private static ConfigurationException noPermissions(Path file) {
        return Refusals.badSetting(
                "file",
                file,
                "lies on a file system without owner permissions, so its secret cannot"
                        + " be kept from others: hand it over by environment instead");
    }
}
