/** Ranks that find each other, talk over encrypted links, and run collectives together. */
module io.nexar {
    exports io.nexar;
    exports io.nexar.spi;
    exports io.nexar.transport;
    exports io.nexar.wire;

    uses io.nexar.spi.Compressor;
    uses io.nexar.spi.MemorySource;
    uses io.nexar.spi.Serializer;

    provides io.nexar.spi.MemorySource with
            io.nexar.transport.shm.SharedBuffers;

    requires static jdk.incubator.vector;
    requires static transitive org.jspecify;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.classes.quic;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.bouncycastle.util;
}
