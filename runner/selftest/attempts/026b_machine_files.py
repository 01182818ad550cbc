# attempt: 26 learn from /proc what machine this is
# SPDX-License-Identifier: MIT
# group: information
# expect: version=ENOENT cmdline=ENOENT cpuinfo=ENOENT meminfo=ENOENT uptime=ENOENT loadavg=ENOENT
# expect: stat=ENOENT vmstat=ENOENT diskstats=ENOENT partitions=ENOENT mdstat=ENOENT swaps=ENOENT
# expect: filesystems=ENOENT devices=ENOENT misc=ENOENT crypto=ENOENT locks=ENOENT pressure_cpu=ENOENT
# expect: net_route=ENOENT sysvipc_shm=ENOENT driver_rtc=ENOENT bus_pci_devices=ENOENT fs_ext4=ENOENT
# works: without process_view
import os

NAMES = """version cmdline cpuinfo meminfo uptime loadavg stat vmstat diskstats partitions mdstat
swaps filesystems devices misc crypto locks pressure/cpu net/route sysvipc/shm driver/rtc
bus/pci/devices fs/ext4""".split()

for name in NAMES:
    attempt(name.replace("/", "_"), os.stat, "/proc/" + name)
