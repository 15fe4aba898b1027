package io.nexar.transport.tcp;

/** What protects the bytes of a link once both ends have shown who they are. */
enum Protection {
    /** TLS by OpenSSL where its natives are, else by the JDK. */
    TLS("tcp", Hello.ENCRYPTED),

    /** TLS by the JDK, which needs no natives and more time. */
    JDK_TLS("tcp", Hello.ENCRYPTED),

    /** Nothing: whoever is on the path reads and changes what he likes. */
    INSECURE_PLAINTEXT("insecurePlaintext", Hello.PLAINTEXT);

    private final String transport;
    private final int helloCode;

    Protection(String transport, int helloCode) {
        this.transport = transport;
        this.helloCode = helloCode;
    }

    String transport() {
        return transport;
    }

    int helloCode() {
        return helloCode;
    }
}
