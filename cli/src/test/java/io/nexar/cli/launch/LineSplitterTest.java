package io.nexar.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.nexar.cli.launch.LineSplitter.CarriageReturn;

import org.junit.jupiter.api.Test;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class LineSplitterTest {

    private final List<String> lines = new ArrayList<>();
    private final List<String> replaced = new ArrayList<>();

    @Test
    void linesComeOutWholeHoweverTheBytesArrive() {
        String text = "one\n\nthree ünïcode 数\nfour\n";
        for (long randomSeed = 0; randomSeed < 100; randomSeed++) {
            lines.clear();
            feedInPieces(splitter(UTF_8), text.getBytes(UTF_8), new Random(randomSeed));
            assertThat(lines)
                    .as("random seed %d", randomSeed)
                    .containsExactly("one", "", "three ünïcode 数", "four");
        }
    }

    @Test
    void theLastLineNeedsNoNewline() {
        feed(splitter(UTF_8), "one\ntwo");
        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void bytesOfAnyEncodingPassUnchanged() {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        LineSplitter splitter = splitter(ISO_8859_1);
        splitter.handleBytes(all, all.length);
        splitter.handleEnd();
        assertThat(String.join("\n", lines)).isEqualTo(new String(all, ISO_8859_1));
    }

    @Test
    void aHugeLineComesInPiecesOfBoundedSizeThatCutNoCharacter() {
        // Characters of 1, 2, 3 and 4 bytes, so that the bound falls inside some of them.
        String huge = "aé数😀".repeat(50_000);
        feed(splitter(UTF_8), huge + "\nnext\n");

        assertThat(lines).hasSizeGreaterThan(6).last().isEqualTo("next");
        lines.removeLast();
        assertThat(String.join("", lines)).isEqualTo(huge);
        for (String piece : lines) {
            assertThat(piece.getBytes(UTF_8).length)
                    .isLessThanOrEqualTo(LineSplitter.LINE_BYTES_MAX);
        }
    }

    @Test
    void aLineOfExactlyTheBoundIsOneLine() {
        String exact = "x".repeat(LineSplitter.LINE_BYTES_MAX);
        feed(splitter(UTF_8), exact + "\n");
        assertThat(lines).containsExactly(exact);
    }

    @Test
    void carriageReturnsStayAsTheyAreUnlessAskedFor() {
        feed(splitter(UTF_8), "10%\r20%\rdone\r\n");
        assertThat(lines).containsExactly("10%\r20%\rdone\r");
    }

    @Test
    void onATerminalALineThatEndsInAReturnIsReplacedByTheNext() {
        LineSplitter splitter =
                new LineSplitter(
                        handler(lines, UTF_8), handler(replaced, UTF_8), CarriageReturn.ENDS_LINE);
        feed(splitter, "10%\r20%\rdone\r\nend\n");

        assertThat(replaced).containsExactly("10%", "20%");
        assertThat(lines).containsExactly("done", "end");
    }

    private LineSplitter splitter(Charset charset) {
        return new LineSplitter(handler(lines, charset));
    }

    private static LineSplitter.LineHandler handler(List<String> to, Charset charset) {
        return (bytes, length) -> to.add(new String(bytes, 0, length, charset));
    }

    private static void feed(LineSplitter splitter, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        splitter.handleBytes(bytes, bytes.length);
        splitter.handleEnd();
    }

    private static void feedInPieces(LineSplitter splitter, byte[] bytes, Random random) {
        for (int at = 0; at < bytes.length; ) {
            int count = 1 + random.nextInt(Math.min(5, bytes.length - at));
            byte[] piece = new byte[count];
            System.arraycopy(bytes, at, piece, 0, count);
            splitter.handleBytes(piece, count);
            at += count;
        }
        splitter.handleEnd();
    }
}
