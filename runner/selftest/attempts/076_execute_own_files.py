# attempt: 76 execute a program that was written to disk
# SPDX-License-Identifier: MIT
# group: privileges
# expect: tmp=EACCES work=EACCES shm=EACCES script=EACCES by_descriptor=EACCES without_name=EACCES
# works: without no_exec,landlock
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(shutil.which("true") or sys.executable)


def run(words, descriptors=()):
    subprocess.run(words, stdin=subprocess.DEVNULL, check=True, pass_fds=descriptors)


def copy_to(folder):
    name = os.path.join(tempfile.mkdtemp(dir=folder), "program")
    shutil.copyfile(PROGRAM, name)
    os.chmod(name, 0o755)
    return name


def run_unnamed(folder):
    fd = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o755)
    with open(PROGRAM, "rb") as source:
        os.sendfile(fd, source.fileno(), 0, 1 << 24)
    reader = os.open("/proc/self/fd/%d" % fd, os.O_RDONLY)
    os.close(fd)
    run(["/proc/self/fd/%d" % reader], [reader])


for label, place in {"tmp": "/tmp", "work": os.getcwd(), "shm": "/dev/shm"}.items():
    attempt(label, run, [copy_to(place)])
script = os.path.join(tempfile.mkdtemp(), "script")
with open(script, "w", encoding="ascii") as file:
    file.write("#!" + sys.executable + "\n")
os.chmod(script, 0o755)
attempt("script", run, [script])
opened = os.open(copy_to("/tmp"), os.O_RDONLY)
attempt("by_descriptor", run, ["/proc/self/fd/%d" % opened], [opened])
attempt("without_name", run_unnamed, "/tmp")
