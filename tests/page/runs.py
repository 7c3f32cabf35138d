"""runs.py DIR: run files for tests of the report, of machines that do not exist. No number in them was measured."""
import json
import pathlib
import random
import sys

HOSTILE = "<script>alert(1)</script> \"q\" 'a' & | ` </title> ]]> <img src=x onerror=alert(2)>"
RUNGS = {"cpu/gemm/serial": 1.0, "cpu/gemm/interchanged": 9.0, "cpu/gemm/openblas": 100.0}
GPU_RUNGS = {"gpu/gemm/naive": 200.0, "gpu/gemm/tiled": 900.0, "gpu/gemm/cublas": 9000.0}


def row(name, size, rate, precision, base_s, rng, **more):
    gpu = name.startswith("gpu/")
    workload = name.split("/")[1]
    kernel = 2.0 * size ** 3 / (rate * rng.uniform(0.97, 1.03) * 1e9)
    copies = 3.0 * size * size * 4 / 10e9 if gpu else 0
    record = {"record": "result", "implementation": name, "device": "cuda:0" if gpu else "cpu", "status": "ok",
              "m": size, "n": size, "k": size, "precision": precision, "accumulate": precision,
              "output_type": precision, "threads": 1 if name.endswith("serial") else 8, "workload": workload,
              "device_name": "Test GPU" if gpu else "Test CPU", "alpha": 1.0, "beta": 0.0, "emulated": False,
              "kernel_median_s": kernel, "kernel_ci_lo_s": kernel * 0.99, "kernel_ci_hi_s": kernel * 1.01,
              "end_to_end_median_s": kernel + copies, "gflops": 2.0 * size ** 3 / kernel / 1e9, "samples": 20,
              "flops": 2.0 * size ** 3, "bytes": 12.0 * size * size, "seed": 1, "clean": True, "cache": "hot",
              "data": "uniform", "stop_reason": "ci", "verify_tier": "bound", "error_bound_ratio": 0.2,
              "relative_frobenius": {"fp64": 1e-16, "fp32": 1e-7, "tf32": 3e-4, "fp16": 4e-4, "bf16": 3e-3}[precision]}
    if gpu:
        del record["threads"]
        record.update(h2d_median_s=copies * 2 / 3, d2h_median_s=copies / 3, host_memory="pinned")
    if base_s:
        speedup = base_s / kernel
        record.update(base="cpu/gemm/openblas fp32 8 threads", speedup_kernel=speedup,
                      speedup_kernel_ci_lo=speedup * 0.98, speedup_kernel_ci_hi=speedup * 1.02,
                      speedup_end_to_end=base_s / (kernel + copies))
    record.update(more)
    return record


def write(path, cpu="Test CPU", gpu=True, sizes=(128, 256, 512), seed=1, precisions=("fp32",), extra=(), end=True,
          names=None, energy=None):
    rng = random.Random(seed)
    lines = [{"record": "run", "schema": "1.0", "id": f"id-{seed}", "started": "2026-01-02T03:04:05Z",
              "command": f"duel run {cpu}", "version": "0.1.0", "seed": 1},
             {"record": "host", "cpu_model": cpu, "cpus_online": 8, "cpus_usable": 8, "memory_bytes": 16e9, "os": cpu,
              "architecture": "x86_64", "environment": {}},
             {"record": "device", "id": "cpu", "name": cpu, "usable": True}]
    if gpu:
        lines.append({"record": "device", "id": "cuda:0", "name": "Test GPU", "usable": True})
    else:
        lines.append({"record": "device", "id": "cuda", "name": "GPU", "usable": False, "status": "no driver",
                      "reason": "there is no driver"})
    rungs = names or {**RUNGS, **(GPU_RUNGS if gpu else {})}
    for size in sizes:
        base = 2.0 * size ** 3 / 100e9
        for name, rate in rungs.items():
            for precision in precisions if name != "cpu/gemm/serial" else ("fp32",):
                factor = {"fp64": 0.5, "fp32": 1, "tf32": 3, "fp16": 6, "bf16": 6}[precision]
                lines.append(row(name, size, rate * factor, precision, base, rng))
        telemetry = {"record": "telemetry", "device": "cpu", "workload": "gemm", "m": size, "n": size, "k": size,
                     "seconds": 2.0}
        telemetry.update({"energy_j": energy} if energy else {"energy_j_why": "no counter is visible"})
        lines.append(telemetry)
    lines.extend(extra)
    if gpu:
        lines.append({"record": "break_even", "implementation": "gpu/gemm/tiled", "device": "cuda:0",
                      "precision": "fp32", "base": "cpu/gemm/openblas fp32 8 threads", "speedup": "end_to_end",
                      "n_below": 128, "n_above": 256, "words": "from n = 256 on"})
    if end:
        lines.append({"record": "end", "outcome": "done", "exit_code": 0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def main():
    root = pathlib.Path(sys.argv[1])
    missing = [{"record": "result", "implementation": f"gpu/gemm/made_{i}", "device": "cuda:0", "workload": "gemm",
                "status": "skipped" if i % 2 else "FAILED", "m": 64, "n": 64, "k": 64, "precision": "fp32",
                "reason": f"reason number {i} of many, which is as long as reasons are"} for i in range(8)]
    hostile = [row("cpu/gemm/" + HOSTILE[:80], 128, 5.0, "fp32", 0.001, random.Random(3), device=HOSTILE[:30], workload="gemm",
                   device_name=HOSTILE, base=HOSTILE[:90]),
               {"record": "result", "implementation": HOSTILE[:90], "device": "cpu", "workload": HOSTILE[:30],
                "status": "FAILED", "m": 1, "n": 1, "k": 1, "precision": "fp32", "reason": HOSTILE * 3},
               {"record": "break_even", "implementation": "cpu/gemm/serial", "words": HOSTILE}]
    write(root / "one.jsonl", precisions=("fp64", "fp32", "fp16", "bf16"), energy=90.0)
    write(root / "no-gpu.jsonl", gpu=False, seed=2)
    write(root / "sizes.jsonl", sizes=[64 + 32 * i for i in range(40)], seed=3)
    write(root / "missing.jsonl", extra=missing, end=False, seed=4)
    write(root / "hostile.jsonl", cpu=HOSTILE, extra=hostile, seed=5)
    write(root / "rows.jsonl", sizes=[64 + 16 * i for i in range(28)],
          names={f"{side}/gemm/made_{i}": 10.0 + 7 * i for side in ("cpu", "gpu") for i in range(9)}, seed=6)
    for i in range(12):
        write(root / f"machine-{i}.jsonl", cpu=f"Processor {i}", gpu=i % 3 > 0, seed=10 + i)


main()
