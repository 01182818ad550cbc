#!/bin/busybox sh
# First process of the virtual machine: mounts the disk and hands over to guest.sh.
# SPDX-License-Identifier: MIT
# shellcheck shell=dash
/bin/busybox mount -t devtmpfs dev /dev
for module in $(/bin/busybox cat /modules.txt); do
  /bin/busybox insmod "/$module.ko" || echo "test-vm: cannot load $module"
done
/bin/busybox mount -t ext4 -o noatime /dev/vda /root || {
  echo "test-vm: cannot mount the disk"
  /bin/busybox poweroff -f
}
/bin/busybox mount --move /dev /root/dev
exec /bin/busybox switch_root /root /bin/bash /vm/guest.sh
