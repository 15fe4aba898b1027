package io.nexar.config;

/** What stands in a file that a setting names. */
public record FileText(String text) {
    /** A digest: two processes that have the same text have the same setting. */
    @Override
    public String toString() {
        return "sha256:" + Digests.sha256(text);
    }
}
