/* How long a cache line takes that one processor has written to be found by another, in nanoseconds: a counter passed
 * to and fro between two pinned threads, in spells of a thousand turns. One spell in ten is faster than what it prints:
 * where others want the processors too, most spells are interrupted.
 *
 *   cc -O2 -pthread -o line line.c
 *   ./line            for a fifth of a second
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 1000, SPELLS_MAX = 4096 };

static const double NANOS = 2e8;

static _Alignas(128) atomic_long counter;
static _Alignas(128) atomic_int is_over;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* To one of the processors that this process may use, counted from 0; false if it has not so many. */
static int pin(const cpu_set_t *allowed, int number) {
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (CPU_ISSET(processor, allowed) && number-- == 0) {
            cpu_set_t set;
            CPU_ZERO(&set);
            CPU_SET(processor, &set);
            return sched_setaffinity(0, sizeof set, &set) == 0;
        }
    }
    return 0;
}

static void *answer(void *nothing) {
    while (!atomic_load_explicit(&is_over, memory_order_relaxed)) {
        long seen = atomic_load_explicit(&counter, memory_order_acquire);
        if (seen & 1) atomic_store_explicit(&counter, seen + 1, memory_order_release);
    }
    return nothing;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    static double spells[SPELLS_MAX];
    int count = 0;
    cpu_set_t allowed;
    pthread_t other;
    /* A thread begins where the one that starts it is pinned. */
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !pin(&allowed, 1) ||
        pthread_create(&other, NULL, answer, NULL) != 0 || !pin(&allowed, 0)) {
        fprintf(stderr, "line: needs two processors and a thread on each\n");
        return 1;
    }
    for (double begin = now(); now() - begin < NANOS && count < SPELLS_MAX; count++) {
        double start = now();
        for (int i = 0; i < TURNS; i++) {
            long seen = atomic_load_explicit(&counter, memory_order_relaxed);
            atomic_store_explicit(&counter, seen + 1, memory_order_release);
            while (atomic_load_explicit(&counter, memory_order_acquire) == seen + 1) continue;
        }
        spells[count] = (now() - start) / (2 * TURNS);
    }
    atomic_store(&is_over, 1);
    pthread_join(other, NULL);
    qsort(spells, count, sizeof *spells, compare);
    printf("%.0f\n", spells[count / 10]);
    return 0;
}
