# attempt: 26 read the kernel's own files
# SPDX-License-Identifier: MIT
# group: proc
# expect: kallsyms=ENOENT kcore=ENOENT kmsg=ENOENT keys=ENOENT key_users=ENOENT timer_list=ENOENT
# expect: sched_debug=ENOENT modules=ENOENT config_gz=ENOENT iomem=ENOENT ioports=ENOENT vmallocinfo=ENOENT
# expect: slabinfo=ENOENT pagetypeinfo=ENOENT kpageflags=ENOENT kpagecount=ENOENT kpagecgroup=ENOENT
# expect: interrupts=ENOENT softirqs=ENOENT latency_stats=ENOENT
# works: without process_view
NAMES = """kallsyms kcore kmsg keys key-users timer_list sched_debug modules config.gz iomem ioports
vmallocinfo slabinfo pagetypeinfo kpageflags kpagecount kpagecgroup interrupts softirqs
latency_stats""".split()


def read(path):
    with open(path, "rb") as file:
        return file.read(1)


for name in NAMES:
    attempt(name.replace(".", "_").replace("-", "_"), read, "/proc/" + name)
