#!/usr/bin/env python3
"""Profiles programs by Nsight Compute on this machine's GPU and by `lab profile`, and writes both numbers of
each metric as CSV.

    grader/tests/compare/profile/compare.py PROGRAM.cu... > data/measurements/nvidia-h200/profile.csv

Needs ncu, nvcc and the right to read the GPU's counters. Of several launches of a kernel the longest counts.
"""

import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LAB = os.environ.get("LAB", pathlib.Path(__file__).resolve().parents[4] / "lab")
COUNTED = [
    "smsp__sass_thread_inst_executed_op_fadd_pred_on",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
]
# Nsight Compute's metric: section and row of the profile
MODELLED = {
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("Occupancy", "Achieved Occupancy"),
    "sm__maximum_warps_per_active_cycle_pct": ("Occupancy", "Theoretical Occupancy"),
    "launch__occupancy_limit_registers": ("Occupancy", "Block Limit Registers"),
    "launch__occupancy_limit_warps": ("Occupancy", "Block Limit Warps"),
    "smsp__average_warp_latency_per_inst_issued.ratio":
        ("Warp State Statistics", "Warp Cycles Per Issued Instruction"),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed":
        ("GPU Speed Of Light Throughput", "Compute (SM) Throughput"),
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed":
        ("GPU Speed Of Light Throughput", "Memory Throughput"),
    "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct":
        ("Memory Workload Analysis", "L1/TEX Hit Rate of loads"),
}
TIME = "gpu__time_duration.sum"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measured(program):
    """By kernel: metric -> value, of the longest launch."""
    metrics = ",".join([m + ".sum" for m in COUNTED] + list(MODELLED) + [TIME])
    text = run("ncu", "--csv", "--print-units", "base", "--metrics", metrics, program)
    launches = {}
    for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])):
        launch = launches.setdefault((row["Kernel Name"].split("(")[0], row["ID"]), {})
        launch[row["Metric Name"]] = row["Metric Value"].replace(",", "")
    longest = {}
    for (kernel, _), values in launches.items():
        if kernel not in longest or float(values[TIME]) > float(longest[kernel][TIME]):
            longest[kernel] = values
    return longest


def modelled(program):
    """By kernel: the line of `lab profile --json`."""
    lines = [json.loads(line) for line in run(LAB, "profile", "--json", "--", program).splitlines()]
    return {line["kernel"].split("(")[0]: line for line in lines}


def main():
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["program", "kernel", "metric", "gpu", "virtual_gpu"])
    with tempfile.TemporaryDirectory() as folder:
        for source in map(pathlib.Path, sys.argv[1:]):
            on_gpu, on_vgpu = f"{folder}/{source.stem}.gpu", f"{folder}/{source.stem}"
            run("nvcc", "-arch=native", source, "-o", on_gpu)
            run(LAB, "nvcc", source, "-o", on_vgpu)
            profiles = modelled(on_vgpu)
            for kernel, values in measured(on_gpu).items():
                profile = profiles[kernel]
                rows = {(s["name"], r["name"]): r["value"]
                        for s in profile["sections"] for r in s["rows"]}
                pairs = [(m, values[m + ".sum"], profile["counts"][m]) for m in COUNTED]
                pairs += [(m, values[m], rows.get(at, "").split(" ")[0])
                          for m, at in MODELLED.items()]
                pairs.append((TIME, values[TIME], round(1e9 * profile["seconds"])))
                for metric, gpu, vgpu in pairs:
                    if str(gpu) not in ("0", "nan") or str(vgpu) not in ("0", ""):
                        table.writerow([source.stem, kernel, metric, gpu, vgpu])


main()
