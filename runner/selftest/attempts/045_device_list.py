# attempt: 45 open devices of the host
# SPDX-License-Identifier: MIT
# group: devices
# expect: list=exact mem=ENOENT kmsg=ENOENT port=ENOENT kvm=ENOENT fuse=ENOENT net_tun=ENOENT vsock=ENOENT vhost_net=ENOENT
# expect: ptmx=ENOENT pts_ptmx=ENOENT tty=ENOENT tty0=ENOENT console=ENOENT loop_control=ENOENT loop0=ENOENT
# expect: sda=ENOENT vda=ENOENT nvme0n1=ENOENT mapper_control=ENOENT btrfs_control=ENOENT uinput=ENOENT rtc0=ENOENT
# expect: watchdog=ENOENT userfaultfd=ENOENT mqueue=ENOENT hugepages=ENOENT log=ENOENT
# works: plain
import os

EXACT = set("null zero full random urandom fd stdin stdout stderr shm".split())
NAMES = """mem kmsg port kvm fuse net/tun vsock vhost-net ptmx pts/ptmx tty tty0 console
loop-control loop0 sda vda nvme0n1 mapper/control btrfs-control uinput rtc0 watchdog
userfaultfd mqueue hugepages log""".split()
WORD = str.maketrans("/-", "__")

met("list", "exact" if set(os.listdir("/dev")) == EXACT else "worked")
for name in NAMES:
    # Path only: opening a watchdog would start it.
    attempt(name.translate(WORD).lower(), lambda: os.close(os.open("/dev/" + name, os.O_PATH)))
