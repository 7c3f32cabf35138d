#!/usr/bin/env python3
"""runs.py DIR RUNS [CASES [SAMPLES]]: run files as duel writes them, with made-up times, for tests of the history.

Run I lies in DIR/run-I.jsonl and begins I hours after the first. The driver changes after each quarter of the runs; with
the second one, every fourth case becomes 8 % slower. The same arguments give the same files.
"""
import json
import pathlib
import random
import sys
import time

DRIVERS = ["550.54.14", "555.42.02", "560.28.03", "565.57.01"]
START = 1767225600  # 2026-01-01 00:00 UTC


def pool(seed, size=20000):
    """Numbers with 17 digits, as a clock's readings have them."""
    numbers = random.Random(seed)
    return [repr(1e-3 * numbers.lognormvariate(0, 0.01)) for _ in range(size)]


def run_id(index):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + 3600 * index)) + f"-{index:08x}"


def head(index, driver):
    began = run_id(index)[:20]
    return [
        {"record": "run", "schema": "1.0", "id": run_id(index), "started": began, "command": "duel run all",
         "version": "0.1.0", "seed": 1, "identify": False},
        {"record": "host", "host_id": "fnv1a:0123456789abcdef", "cpu_model": "Test CPU", "kernel": "6.8.0",
         "compiler": "GCC 12.2.0", "git": "0000000"},
        {"record": "device", "id": "cuda:0", "backend": "cuda", "emulated": False, "name": "Test GPU", "usable": True,
         "status": "ready", "uuid": "fnv1a:fedcba9876543210", "driver": driver, "cuda_runtime_version": "12.4"},
    ]


def result(case, factor, samples, numbers, draw):
    n = 64 * (case // 4 + 1)
    at = draw.randrange(len(numbers) - samples)
    median = factor * 1e-3 * (case + 1) * draw.lognormvariate(0, 0.005)
    row = {"record": "result", "implementation": f"gpu/gemm/{('naive', 'tiled', 'cublas', 'wmma')[case % 4]}",
           "device": "cuda:0", "status": "ok", "m": n, "n": n, "k": n, "precision": "fp32",
           "kernel_median_s": median, "kernel_ci_lo_s": 0.998 * median, "kernel_ci_hi_s": 1.002 * median,
           "gflops": 2e-9 * n ** 3 / median, "samples": samples, "stop_reason": "ci", "verify_tier": "bound",
           "error_bound_ratio": 0.2, "workload": "gemm", "device_name": "Test GPU", "emulated": False,
           "accumulate": "fp32", "output_type": "fp32", "lda": n, "ldb": n, "ldc": n, "count": 1, "alpha": 1.0,
           "beta": 0.0, "output_hash": "fnv1a:eb18e188727bc7cc", "cache": "rotated", "data": "uniform",
           "host_memory": "pinned", "clean": True, "library": "cuBLAS 12.4.5", "seed": 1}
    return json.dumps(row)[:-1] + ', "kernel_s": [' + ",".join(numbers[at:at + samples]) + "]}"


def lines(index, runs, cases, samples, numbers):
    draw = random.Random(index)
    quarter = min(3, 4 * index // runs)
    for record in head(index, DRIVERS[quarter]):
        yield json.dumps(record)
    for case in range(cases):
        yield result(case, 1.08 if quarter > 0 and case % 4 == 2 else 1, samples, numbers, draw)
    yield json.dumps({"record": "end", "outcome": "done", "exit_code": 0, "results": cases})


def write(folder, first, last, runs, cases, samples, numbers):
    for index in range(first, last):
        text = "\n".join(lines(index, runs, cases, samples, numbers)) + "\n"
        (pathlib.Path(folder) / f"run-{index}.jsonl").write_text(text)


if __name__ == "__main__":
    total = int(sys.argv[2])
    how_many = [int(word) for word in sys.argv[3:]] + [8, 20][len(sys.argv) - 3:]
    pathlib.Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    write(sys.argv[1], 0, total, total, how_many[0], how_many[1], pool(1))
