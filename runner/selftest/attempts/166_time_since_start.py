# attempt: 166 learn how long the machine runs, which tells machines apart
# SPDX-License-Identifier: MIT
# group: information
# expect: boot_time=near_zero monotonic=near_zero raw=near_zero coarse=near_zero sysinfo=near_zero
# expect: own_start=near_zero uptime_file=ENOENT start_file=ENOENT
# without time_namespace: boot_time=worked monotonic=worked raw=worked|near_zero coarse=worked
# without time_namespace: sysinfo=worked own_start=worked
# works: without time_namespace
import ctypes
import os
import time

NEAR = 300  # seconds; a sandbox is this young here, a machine that runs tests is not


def told(label, seconds, near=NEAR):
    met(label, "near_zero" if abs(seconds) < near else "worked")


told("boot_time", time.clock_gettime(time.CLOCK_BOOTTIME))
told("monotonic", time.monotonic())
# Shifted by the same offset but never corrected, so it drifts away, to below zero too.
told("raw", time.clock_gettime(time.CLOCK_MONOTONIC_RAW), 86400)
told("coarse", time.clock_gettime(6))
room = (ctypes.c_long * 32)()
_libc.sysinfo(room)
told("sysinfo", room[0])
with open("/proc/self/stat") as file:
    start = int(file.read().rpartition(")")[2].split()[19])
told("own_start", start / os.sysconf("SC_CLK_TCK"))
attempt("uptime_file", open, "/proc/uptime")
attempt("start_file", open, "/proc/stat")
