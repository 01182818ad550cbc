/* The launcher program as bytes; SANDBOX_LAUNCHER_FILE is given by the build. */
/* SPDX-License-Identifier: MIT */
    .section .rodata
    .balign 16
    .global sandbox_launcher_begin
    .global sandbox_launcher_end
sandbox_launcher_begin:
    .incbin SANDBOX_LAUNCHER_FILE
sandbox_launcher_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
