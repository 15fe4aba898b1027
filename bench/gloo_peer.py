#!/usr/bin/env python3
"""What bench/compare times of Gloo: an allReduce (sum of f32) of two processes by PyTorch's
torch.distributed, each call timed on rank 0, as in mpi_peer.c.

    pip install torch
    python3 gloo_peer.py 8,1048576,4194304
"""

import os
import subprocess
import sys
import time

import torch
import torch.distributed as dist


def main():
    sizes = [int(size) for size in sys.argv[1].split(",")]
    if len(sys.argv) > 3:
        rank, port = int(sys.argv[2]), int(sys.argv[3])
        run(rank, dist.TCPStore("127.0.0.1", port, 2, False), sizes)
        return
    store = dist.TCPStore("127.0.0.1", 0, 2, True, wait_for_workers=False)
    other = subprocess.Popen([sys.executable, __file__, sys.argv[1], "1", str(store.port)])
    run(0, store, sizes)
    sys.exit(other.wait())


def run(rank, store, sizes):
    torch.set_num_threads(1)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("gloo", store=store, rank=rank, world_size=2)
    for size in sizes:
        measure(rank, size)
    dist.barrier()
    dist.destroy_process_group()


def measure(rank, size):
    iterations = 20000 if size < 65536 else 2000 if size < 1 << 20 else 100
    verify(rank, size)
    data = torch.zeros(size // 4)  # the sum is in place, and that of zeros stays so
    dist.barrier()
    times = []
    for call in range(iterations // 5 + 1 + iterations):
        start = time.perf_counter_ns()
        dist.all_reduce(data)
        if call > iterations // 5:
            times.append((time.perf_counter_ns() - start) / 1e3)
    verify(rank, size)
    if rank == 0:
        times.sort()
        print(
            f'{{"peer":"gloo","op":"allreduce","ranks":2,"bytes":{size},'
            f'"iterations":{iterations},"min_us":{times[0]:.3f},'
            f'"p50_us":{times[iterations // 2]:.3f},"p99_us":{times[iterations * 99 // 100]:.3f}}}',
            flush=True,
        )


def verify(rank, size):
    """One call on numbers that differ from item to item and from rank to rank."""
    own = [(torch.arange(size // 4) * 7 + r * 3).remainder(1021).float() for r in range(2)]
    data = own[rank].clone()
    dist.all_reduce(data)
    if not torch.equal(data, own[0] + own[1]):
        sys.exit(f"of {size} bytes rank {rank} has a wrong sum")


main()
