package io.nexar.readme;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The program in README.md, exactly as it is printed there. */
record ReadmeProgram(String text) {
    static final String CLASS_NAME = "HelloNexar";

    private static final Pattern JAVA_BLOCK =
            Pattern.compile("^```java\\R(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

    static ReadmeProgram read() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        Matcher block = JAVA_BLOCK.matcher(readme);
        if (!block.find() || !block.group(1).contains("class " + CLASS_NAME)) {
            throw new AssertionError("README.md prints no class " + CLASS_NAME);
        }
        return new ReadmeProgram(block.group(1));
    }

    /** Compiles into the folder, with all warnings; returns what the compiler says. */
    String compile(Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve(CLASS_NAME + ".java"), text);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of(
                            "-Xlint:all,-classfile,-path",
                            "-proc:none",
                            "-d",
                            folder.toString(),
                            "-cp",
                            System.getProperty("java.class.path"));
            boolean compiled =
                    compiler.getTask(
                                    messages,
                                    files,
                                    null,
                                    options,
                                    null,
                                    files.getJavaFileObjects(source))
                            .call();
            return compiled ? messages.toString() : messages + "not compiled";
        }
    }
}
