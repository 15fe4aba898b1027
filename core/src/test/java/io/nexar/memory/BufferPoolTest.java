package io.nexar.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

class BufferPoolTest {
    @Test
    void buffersAreUsedAgainAndNeverMoreThanReserved() {
        try (Arena arena = Arena.ofConfined()) {
            BufferPool pool = new BufferPool(arena, 64);
            assertThatThrownBy(pool::acquire)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("0 reserved");
            pool.reserve(2);
            MemorySegment one = pool.acquire();
            MemorySegment two = pool.acquire();
            assertThat(one.asOverlappingSlice(two)).isEmpty();
            assertThat(one.byteSize()).isEqualTo(64);
            assertThatThrownBy(pool::acquire).isInstanceOf(IllegalStateException.class);
            pool.release(one);
            assertThat(pool.inUse()).isEqualTo(1);
            assertThat(pool.acquire()).isEqualTo(one);
            pool.release(one);
            pool.release(two);
            pool.unreserve(2);
            assertThat(pool.inUse()).isZero();
            assertThatThrownBy(pool::acquire).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void whatIsNotThePoolsIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            BufferPool pool = new BufferPool(arena, 64);
            pool.reserve(1);
            assertThatThrownBy(() -> pool.release(arena.allocate(64)))
                    .isInstanceOf(IllegalArgumentException.class);
            MemorySegment buffer = pool.acquire();
            assertThatThrownBy(() -> pool.release(buffer.asSlice(0, 32)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> pool.unreserve(2))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new BufferPool(arena, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0");
        }
    }
}
