# attempt: 183 leave a file that seems larger than any disk
# SPDX-License-Identifier: MIT
# group: read_out
# expect: too_large=EFBIG as_large_as_may_be=allowed blocks=none
# without resource_limits: too_large=worked
# limits: work=16M
# works: without resource_limits
import os


def sparse(name, size):
    with open(name, "wb") as file:
        file.truncate(size)
    return os.stat(name)


attempt("too_large", sparse, "result.csv", 16 << 40)
left = sparse("smaller.csv", 16 << 20)
met("as_large_as_may_be", "allowed" if left.st_size == 16 << 20 else "cut")
met("blocks", "none" if left.st_blocks == 0 else "some")
