package io.nexar.house.planted.fabric;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes a pool of threads. */
final class MakesPool {
    final ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
}
