# Makes what scripts/test-vm boots, out of files of this machine:
#   image.py root IMAGE [/PATH...] [NAME=PATH...]  ext4: python3, everyday tools, the given files at
#                                                  the same place or at NAME, and all libraries
#   image.py initramfs FILE NAME=PATH...           cpio: what mounts that image
# Everything inside belongs to root when this runs as root, or below `unshare --map-root-user`.
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

TOOLS = """
awk base64 basename bash cat chgrp chmod chown cmp comm cp cut dash date dd df diff dirname dmesg
echo env expr false find findmnt flock free grep gzip head hostname id ip kill ldd ln ls lsns
md5sum mkdir mkfifo mktemp mount mountpoint mv nice nohup nproc nsenter od paste pgrep pkill
printenv printf prlimit ps pwd readlink realpath rm rmdir sed seq setpriv setsid sh sha1sum
sha256sum shuf sleep sort split stat strace stty sync tac tail tar taskset tee test timeout touch
tr true truncate tty umount uname uniq unshare wc which xargs yes""".split()
NEEDED = ("bash", "cat", "env", "grep", "id", "setpriv", "sh", "timeout", "true", "unshare")
# Parts of Python's library that no guest program uses.
LEFT_OUT = re.compile(r"(config-.*|test|idlelib|lib2to3|ensurepip|pydoc_data|dist-packages)$")
ETC = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\nuser:x:1001:1001:user:/home/user:/bin/sh\n"
              "messagebus:x:100:102::/nonexistent:/bin/sh\n"
              "nobody:x:65534:65534:nobody:/nonexistent:/bin/sh\n",
    "group": "root:x:0:\nmessagebus:x:102:\nuser:x:1001:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "hostname": "vm\n",
    # Without one systemd takes the start for the very first, at which it presets all units.
    "machine-id": "0123456789abcdef0123456789abcdef\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
EMPTY = ("dev", "proc", "sys", "run", "tmp", "root", "home", "var/tmp", "vm", "usr/local/bin",
         "etc", "usr/sbin", "usr/bin", "usr/lib", "usr/lib64")
IMAGE_SIZE = "1G"  # sparse: what is not used takes no place


class Files:
    """Paths of this machine, each with the links that lead to it."""

    def __init__(self):
        self.paths = set()

    def add(self, path):
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if path in self.paths or not os.path.lexists(path):
            return
        self.paths.add(path)
        if os.path.islink(path):
            self.add(os.path.join(os.path.dirname(path), os.readlink(path)))

    def add_tree(self, folder, left_out=re.compile("(?!)")):
        for where, folders, names in os.walk(folder):
            folders[:] = [f for f in folders if not left_out.match(f)]
            for name in names + [f for f in folders if os.path.islink(os.path.join(where, f))]:
                self.add(os.path.join(where, name))

    def add_given(self, path):
        if not os.path.exists(path):
            sys.exit(f"image.py: {path} does not exist")
        self.add(path)
        if os.path.isdir(path):
            self.add_tree(os.path.realpath(path))

    def add_libraries(self):
        programs = [p for p in sorted(self.paths) if is_elf(p)]
        if not programs:
            return
        said = subprocess.run(["ldd", *programs], capture_output=True, text=True).stdout
        missing = re.findall(r"^\s*(\S+) => not found", said, re.MULTILINE)
        if missing:
            print(f"image.py: not on this machine: {' '.join(missing)}", file=sys.stderr)
        for library in set(re.findall(r"(/\S+) \(0x", said)):
            self.add(library)


def is_elf(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def base_files():
    files = Files()
    for tool in TOOLS:
        path = shutil.which(tool, path="/usr/bin:/bin:/usr/sbin:/sbin")
        if path:
            files.add(path)
        elif tool in NEEDED:
            sys.exit(f"image.py: {tool} is not installed")
    files.add("/usr/bin/python3")
    library = subprocess.run(
        ["/usr/bin/python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"],
        capture_output=True, text=True, check=True).stdout.strip()
    files.add_tree(library, LEFT_OUT)
    files.add("/usr/share/zoneinfo/Etc/UTC")
    for folder in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.islink(folder):
            files.add(folder)
    return files


def put(path, target, follow):
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.islink(path) or os.path.isfile(path):
        shutil.copy2(path, target, follow_symlinks=follow)


def fill(root, files, named):
    for name in EMPTY:
        (root / name).mkdir(parents=True, exist_ok=True)
    for name in ("tmp", "var/tmp"):
        (root / name).chmod(0o1777)
    for name, text in ETC.items():
        (root / "etc" / name).write_text(text)
    for path in sorted(files.paths):
        put(path, root / path[1:], follow=False)
    for name, path in named:
        put(path, root / name, follow=True)


def make_root(image, arguments):
    files = base_files()
    for path in arguments:
        if path.startswith("/"):
            files.add_given(path)
    files.add_libraries()
    named = [a.split("=", 1) for a in arguments if not a.startswith("/")]
    for _, path in named:
        if not os.path.isfile(path):
            sys.exit(f"image.py: {path} is not there")
    with tempfile.TemporaryDirectory(prefix="root-", dir=image.parent) as folder:
        os.chmod(folder, 0o755)
        fill(pathlib.Path(folder), files, named)
        subprocess.run(["/sbin/ldconfig", "-X", "-f", "/dev/null", "-r", folder,
                        *library_folders(files)], check=True)
        subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", "-O", "^has_journal",
                        "-E", "lazy_itable_init=1,root_owner=0:0", "-d", folder, image,
                        IMAGE_SIZE], check=True, stdout=subprocess.DEVNULL)


def library_folders(files):
    return sorted({os.path.dirname(path) for path in files.paths
                   if re.match(r"lib[^/]*\.so\.", os.path.basename(path))})


def make_initramfs(file, pairs):
    """The cpio format 'newc', as the kernel's buffer-format document has it."""
    out = bytearray()

    def put(name, mode, data=b"", device=(0, 0)):
        nonlocal out
        encoded = name.encode() + b"\0"
        fields = (len(out) + 1, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
        out += b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        out += bytes(-len(out) % 4) + data
        out += bytes(-len(out) % 4)

    for folder in ("dev", "proc", "root", "bin"):
        put(folder, stat.S_IFDIR | 0o755)
    put("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    for name, path in pairs:
        put(name, stat.S_IFREG | 0o755, pathlib.Path(path).read_bytes())
    put("TRAILER!!!", 0)
    file.write_bytes(out)


def main():
    what, file, rest = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    if what == "root":
        make_root(file, rest)
    elif what == "initramfs":
        make_initramfs(file, [pair.split("=", 1) for pair in rest])
    else:
        sys.exit(f"image.py: unknown: {what}")


if __name__ == "__main__":
    main()
