# The standard library as programs of a model use it: processes, archives, asyncio, dates, files.
# SPDX-License-Identifier: MIT
import asyncio
import collections
import csv
import datetime
import decimal
import getpass
import gzip
import hashlib
import json
import locale
import os
import pathlib
import re
import secrets
import shutil
import signal
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
import zipfile
import zoneinfo

done = []


def files():
    folder = pathlib.Path("made/deep")
    folder.mkdir(parents=True)
    (folder / "ä ö.txt").write_text("text ✓\n" * 100)
    os.symlink("ä ö.txt", folder / "link")
    os.link(folder / "ä ö.txt", folder / "hard")
    assert (folder / "link").read_text() == (folder / "hard").read_text()
    shutil.copytree("made", "copied", symlinks=True)
    with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "hard")
    with tarfile.open("a.tar.xz", "w:xz") as archive:
        archive.add("made")
    with tarfile.open("a.tar.xz") as archive:
        assert "made/deep/link" in archive.getnames()
    shutil.make_archive("b", "gztar", "copied")
    with gzip.open("c.gz", "wt") as file:
        file.write("x" * 10000)
    os.utime("c.gz", (1_000_000_000, 1_000_000_000))
    assert os.stat("c.gz").st_mtime == 1_000_000_000
    assert shutil.disk_usage(".").free > 100 << 20
    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as more:
        assert file.name.startswith("/tmp/") and more.startswith("/tmp/")
    shutil.rmtree("copied")
    with open("t.csv", "w", newline="") as file:
        csv.writer(file).writerows([["a", "b"], [1, "x,y"]])
    assert list(csv.DictReader(open("t.csv"))) == [{"a": "1", "b": "x,y"}]
    done.append("files")


def processes():
    ran = subprocess.run("echo out; echo err >&2; exit 3", shell=True, capture_output=True,
                         text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, "out\n", "err\n")
    text = subprocess.check_output("seq 100 | sort -rn | head -1 | tr 0 o", shell=True, text=True)
    assert text == "1oo\n"
    script = pathlib.Path("s.py")
    script.write_text("import sys; print(sys.argv[1:], sys.stdin.read())")
    ran = subprocess.run([sys.executable, script, "a b"], input="in", capture_output=True,
                         text=True)
    assert ran.stdout == "['a b'] in\n"
    slow = subprocess.Popen(["sleep", "30"], start_new_session=True)
    os.killpg(slow.pid, signal.SIGTERM)
    assert slow.wait(10) == -signal.SIGTERM
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, b"child")
        os._exit(0)
    assert os.read(reader, 5) == b"child" and os.wait()[1] == 0
    done.append("processes")


def signals():
    got = []
    signal.signal(signal.SIGALRM, lambda *_: got.append("alarm"))
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    time.sleep(0.1)
    timer = threading.Timer(0.01, got.append, ["timer"])
    timer.start()
    timer.join()
    assert got == ["alarm", "timer"]
    done.append("signals")


async def serve():
    async def answer(reader, writer):
        writer.write((await reader.readline()).upper())
        writer.close()

    server = await asyncio.start_unix_server(answer, "/tmp/server")
    reader, writer = await asyncio.open_unix_connection("/tmp/server")
    writer.write(b"hello\n")
    assert await reader.readline() == b"HELLO\n"
    writer.close()
    server.close()
    child = await asyncio.create_subprocess_exec("cat", stdin=subprocess.PIPE,
                                                 stdout=subprocess.PIPE)
    assert (await child.communicate(b"piped"))[0] == b"piped"
    await asyncio.gather(*(asyncio.to_thread(time.sleep, 0.01) for _ in range(5)))
    done.append("asyncio")


def words():
    assert sys.getdefaultencoding() == sys.stdout.encoding.lower() == "utf-8"
    assert locale.setlocale(locale.LC_ALL, "") and sorted("bäa") == ["a", "b", "ä"]
    decimal.getcontext().prec = 30
    assert str(decimal.Decimal(1) / 7).startswith("0.142857142857")
    assert re.sub(r"(?P<a>\w+)@", r"<\g<a>>", "x@y") == "<x>y"
    assert statistics.stdev([1, 2, 3, 4]) > 1
    assert collections.Counter("mississippi").most_common(1) == [("i", 4)]
    assert len(hashlib.sha256(b"x").hexdigest()) == 64 and len(secrets.token_hex(8)) == 16
    assert uuid.uuid4() != uuid.uuid4() and uuid.uuid1().version == 1
    assert json.loads(json.dumps({"a": [1, None, "ü"]}))["a"][2] == "ü"
    summer = datetime.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("America/New_York"))
    assert summer.utcoffset() == datetime.timedelta(hours=-4)
    assert time.tzname[0] == "UTC"
    done.append("words")


def no_network():
    try:
        urllib.request.urlopen("http://example.org", timeout=5)
    except urllib.error.URLError as error:
        done.append(type(error.reason).__name__)


if __name__ == "__main__":
    files()
    processes()
    signals()
    asyncio.run(serve())
    words()
    no_network()
    assert getpass.getuser() == "sandbox" and os.path.expanduser("~") == os.environ["HOME"]
    print("stdlib", done)
