# What a model might write: read a table, find the trend, say what it saw of its room.
# SPDX-License-Identifier: MIT
import csv
import io
import os
import socket
import statistics

TABLE = """month,visitors
January,1204
February,1310
March,1482
April,1466
May,1650
June,1794
"""

rows = list(csv.DictReader(io.StringIO(TABLE)))
visitors = [int(row["visitors"]) for row in rows]
slope, start = statistics.linear_regression(range(len(visitors)), visitors)
best = max(rows, key=lambda row: int(row["visitors"]))

print(f"visitors: {sum(visitors)} in {len(rows)} months, best {best['month']}")
print(f"trend: {slope:+.0f} a month; July may see {start + slope * len(rows):.0f}")

with open("trend.txt", "w") as out:
    print(slope, file=out)

try:
    socket.create_connection(("192.0.2.1", 80), timeout=2)
    network = "reachable"
except OSError as error:
    network = f"none ({error.strerror})"
print(f"room: uid {os.getuid()}, in {os.getcwd()}, files {sorted(os.listdir('.'))}")
print(f"network: {network}")
