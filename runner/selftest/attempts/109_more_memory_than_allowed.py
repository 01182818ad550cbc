# attempt: 109 take more memory than allowed in one process
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: doubling=MemoryError one_huge=MemoryError
# limits: memory=64M timeout=10s
# works: plain


def doubling():
    """Asks for 1, 2, 4 ... 128 MiB and keeps all of it: 255 MiB."""
    kept = []
    for step in range(8):
        kept.append(bytearray(1 << (20 + step)))
    return len(kept)


attempt("doubling", doubling)
attempt("one_huge", bytearray, 10**15)
