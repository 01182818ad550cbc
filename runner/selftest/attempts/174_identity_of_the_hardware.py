# attempt: 174 learn what the hardware is: processor, firmware, disks, graphics
# SPDX-License-Identifier: MIT
# group: information
# expect: processor=ENOENT memory=ENOENT product=ENOENT serial=ENOENT processors=ENOENT
# expect: graphics=ENOENT nvidia=ENOENT nvidia_driver=ENOENT amd=ENOENT network=ENOENT disks=ENOENT
# expect: command_line=ENOENT firmware=ENOENT boot_id=ENOENT count=residual
# works: plain
import os


def read(path):
    with open(path, "rb") as file:
        return file.read(64)


attempt("processor", read, "/proc/cpuinfo")
attempt("memory", read, "/proc/meminfo")
attempt("product", read, "/sys/class/dmi/id/product_name")
attempt("serial", read, "/sys/class/dmi/id/product_uuid")
attempt("processors", os.listdir, "/sys/devices/system/cpu")
attempt("graphics", os.listdir, "/dev/dri")
attempt("nvidia", os.open, "/dev/nvidiactl", os.O_RDONLY)
attempt("nvidia_driver", os.listdir, "/proc/driver/nvidia")
attempt("amd", os.open, "/dev/kfd", os.O_RDONLY)
attempt("network", os.listdir, "/sys/class/net")
attempt("disks", os.listdir, "/dev/disk")
attempt("command_line", read, "/proc/cmdline")
attempt("firmware", os.listdir, "/sys/firmware")
attempt("boot_id", read, "/proc/sys/kernel/random/boot_id")
# The instruction cpuid and the affinity mask tell kind and number of processors to everyone.
met("count", "residual" if os.cpu_count() else "none")
