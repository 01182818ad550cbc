# attempt: 33 become the last one that the kernel kills for memory
# SPDX-License-Identifier: MIT
# group: proc
# expect: lowered=EROFS old_name=EROFS of_init=EPERM|ENOENT|EACCES
# works: vm only CAP_SYS_RESOURCE of the machine lowers it
def write(path, text):
    with open(path, "w") as file:
        file.write(text)


attempt("lowered", write, "/proc/self/oom_score_adj", "-1000")
attempt("old_name", write, "/proc/self/oom_adj", "-17")
attempt("of_init", open, "/proc/1/oom_score_adj", "r+")
