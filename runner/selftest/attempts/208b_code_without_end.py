# attempt: 208 have the interpreter translate a program that is larger than its memory
# SPDX-License-Identifier: MIT
# group: control
# expect: size=begun
# outcome: exited|exited:1|memory_limit|signaled:SIGSEGV|signaled:SIGABRT
# limits: memory=64M timeout=15s
# works: never what stops it is the limit of memory, which 109 tries
import sys

met("size", "begun")
try:
    compile("x = [" + "1," * 300000 + "]", "large", "exec")
except MemoryError:
    sys.exit(0)
