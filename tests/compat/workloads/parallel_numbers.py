# multiprocessing with numpy: each way to start a process, shared memory, an executor, locks.
# SPDX-License-Identifier: MIT
import concurrent.futures
import multiprocessing
from multiprocessing import shared_memory

import numpy as np


def add_rows(name, shape, first, last):
    block = shared_memory.SharedMemory(name=name)
    rows = np.ndarray(shape, dtype="float64", buffer=block.buf)
    total = float(rows[first:last].sum())
    del rows
    block.close()
    return total


def norm(seed):
    return round(float(np.linalg.norm(np.random.default_rng(seed).normal(size=(50, 50)))), 6)


def count(lock, value):
    for _ in range(200):
        with lock:
            value.value += 1


def main():
    shape = (1000, 200)
    block = shared_memory.SharedMemory(create=True, size=8 * shape[0] * shape[1])
    rows = np.ndarray(shape, dtype="float64", buffer=block.buf)
    rows[:] = 0.5
    totals = {}
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            parts = pool.starmap(add_rows, [(block.name, shape, n, n + 250)
                                            for n in range(0, 1000, 250)])
        totals[method] = sum(parts)
    del rows
    block.close()
    block.unlink()

    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        norms = list(executor.map(norm, range(4)))
    assert norms == [norm(seed) for seed in range(4)]
    with concurrent.futures.ThreadPoolExecutor(8) as executor:
        assert list(executor.map(norm, range(4))) == norms

    lock, value = multiprocessing.Lock(), multiprocessing.Value("i", 0, lock=False)
    workers = [multiprocessing.Process(target=count, args=(lock, value)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with multiprocessing.Manager() as manager:
        shared = manager.dict(answer=42)
        assert shared["answer"] == 42
    print("parallel", totals, value.value)


if __name__ == "__main__":
    main()
