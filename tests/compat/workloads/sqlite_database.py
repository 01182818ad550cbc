# sqlite3: a database in a file with WAL, windows, full text search, two connections and a backup.
# SPDX-License-Identifier: MIT
import os
import sqlite3
import threading

base = sqlite3.connect("data.db")
assert base.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
base.execute("CREATE TABLE sale(day TEXT, shop TEXT, amount REAL)")
with base:
    base.executemany("INSERT INTO sale VALUES (date('2024-01-01', ?), ?, ?)",
                     ((f"+{n % 60} days", "ab"[n % 2], n * 0.5) for n in range(5000)))
top = base.execute("SELECT shop, sum(amount), count(*) FROM sale GROUP BY shop ORDER BY 1")
totals = top.fetchall()
running = base.execute("SELECT sum(amount) OVER (ORDER BY day) FROM sale LIMIT 1").fetchone()[0]
base.execute("CREATE VIRTUAL TABLE note USING fts5(text)")
base.execute("INSERT INTO note VALUES ('the quick brown fox'), ('a lazy dog')")
found = base.execute("SELECT text FROM note WHERE note MATCH 'quick OR cat'").fetchall()
base.commit()

seen = []


def read():
    other = sqlite3.connect("data.db", timeout=10)
    seen.append(other.execute("SELECT count(*) FROM sale").fetchone()[0])
    other.close()


threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert seen == [5000] * 4
copy = sqlite3.connect(":memory:")
base.backup(copy)
assert copy.execute("SELECT count(*) FROM sale").fetchone() == (5000,)
base.create_function("half", 1, lambda value: value / 2)
assert base.execute("SELECT half(10)").fetchone() == (5.0,)
base.execute("VACUUM")
base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
print("sqlite3", totals, running, found, os.path.getsize("data.db") > 100000)
