# attempt: 28 make the host's kernel start a program
# SPDX-License-Identifier: MIT
# group: proc
# expect: core_pattern=ENOENT modprobe=ENOENT hotplug=ENOENT poweroff_cmd=ENOENT usermodehelper=ENOENT uevent_helper=ENOENT
# works: vm only the machine's root can open them; nothing is ever written
import os

PATHS = {"core_pattern": "/proc/sys/kernel/core_pattern", "modprobe": "/proc/sys/kernel/modprobe",
         "hotplug": "/proc/sys/kernel/hotplug", "poweroff_cmd": "/proc/sys/kernel/poweroff_cmd",
         "usermodehelper": "/proc/sys/kernel/usermodehelper/bset",
         "uevent_helper": "/sys/kernel/uevent_helper"}

for label, path in PATHS.items():
    attempt(label, lambda: os.close(os.open(path, os.O_WRONLY)))
