# attempt: 53 reach a graphics, accelerator or Android device
# SPDX-License-Identifier: MIT
# group: devices
# expect: dri_card0=ENOENT dri_renderd128=ENOENT nvidia0=ENOENT nvidiactl=ENOENT nvidia_uvm=ENOENT kfd=ENOENT
# expect: accel_accel0=ENOENT binder=ENOENT hwbinder=ENOENT ashmem=ENOENT udmabuf=ENOENT dma_heap_system=ENOENT
# expect: vfio_vfio=ENOENT iommu=ENOENT sgx_enclave=ENOENT tpm0=ENOENT fb0=ENOENT snd_timer=ENOENT video0=ENOENT
# expect: binderfs=EPERM
# works: never which of them exist differs from host to host; attempt 45 shows that /dev is a directory of its own
import os
import tempfile

NAMES = """dri/card0 dri/renderD128 nvidia0 nvidiactl nvidia-uvm kfd accel/accel0 binder hwbinder
ashmem udmabuf dma_heap/system vfio/vfio iommu sgx_enclave tpm0 fb0 snd/timer video0""".split()
WORD = str.maketrans("/-", "__")
MOUNT, UMOUNT = {"x86_64": (165, 166), "aarch64": (40, 39)}[os.uname().machine]


def mount():
    """One of the few file systems that a user namespace's root may mount, with devices in it."""
    place = tempfile.mkdtemp().encode()
    try:
        syscall(MOUNT, b"binder", place, b"binder", 0, None)
        syscall(UMOUNT, place, 2)
    finally:
        os.rmdir(place)


for name in NAMES:
    attempt(name.translate(WORD).lower(), lambda: os.close(os.open("/dev/" + name, os.O_PATH)))
attempt("binderfs", mount)
