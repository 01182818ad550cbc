# Runs a command as if this were another host:  as_host.py SHAPE -- COMMAND [ARGUMENT...]
# The exit code is the command's; 99 says that the shape cannot be made here, and stderr why.
# SPDX-License-Identifier: MIT
import os
import signal
import sys

import shapes

CANNOT_BE_MADE = 99


def main() -> int:
    if len(sys.argv) < 4 or sys.argv[2] != "--" or sys.argv[1] not in shapes.ALL:
        print("usage: as_host.py SHAPE -- COMMAND [ARGUMENT...]", file=sys.stderr)
        for name, shape in shapes.ALL.items():
            print(f"  {name:28} {shape.what}", file=sys.stderr)
        return 2
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
        signal.signal(number, signal.SIG_DFL)
    try:
        shapes.ALL[sys.argv[1]].make()
        os.execv(sys.argv[3], sys.argv[3:])
    except (shapes.CannotBeMade, OSError) as error:
        print(error, file=sys.stderr)
        return CANNOT_BE_MADE


if __name__ == "__main__":
    sys.exit(main())
