package io.nexar.house.planted.transport.quic;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;

import java.util.concurrent.ThreadFactory;

/** Lets Netty start threads of its own. */
final class MakesEventLoop {
    static EventLoopGroup group() {
        return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    static EventLoopGroup soundGroup(ThreadFactory threads) {
        return new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
    }
}
