# attempt: 129 unpack a small archive that is huge
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: unpack=MemoryError gzip=MemoryError
# limits: memory=64M timeout=15s
# works: plain
import gzip
import zlib

packer = zlib.compressobj(9, zlib.DEFLATED, 31)
zeros = bytes(1 << 20)
bomb = b"".join(packer.compress(zeros) for _ in range(160)) + packer.flush()
del zeros
attempt("unpack", lambda: len(zlib.decompress(bomb, 31)))
attempt("gzip", lambda: len(gzip.decompress(bomb)))
