# attempt: 54 write into the devices that take anything
# SPDX-License-Identifier: MIT
# group: devices
# expect: random=EACCES|allowed urandom=EACCES|allowed zero=EACCES|allowed null=allowed
# limits: timeout=20s
# works: never all of them may be written to by anyone; what is written credits no entropy and is kept nowhere
import os


def write(path):
    """1 GiB for null, less where the kernel works for it."""
    file = os.open(path, os.O_WRONLY)
    block = bytes(1 << 20)
    for _ in range(1024 if path == "/dev/null" else 4):
        os.write(file, block)
    os.close(file)


for name in ("random", "urandom", "zero", "null"):
    try:
        write("/dev/" + name)
        met(name, "allowed")
    except OSError as error:
        met(name, _errno.errorcode[error.errno])
