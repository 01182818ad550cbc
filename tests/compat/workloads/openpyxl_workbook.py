# openpyxl: formulas, styles and a chart in a workbook, and a large sheet in write-only mode.
# SPDX-License-Identifier: MIT
import datetime
import os

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font, PatternFill

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Übersicht"
sheet.append(["month", "income", "cost", "rest"])
for month in range(1, 13):
    sheet.append([datetime.date(2024, month, 1), 1000 + month * 10, 800 + month, None])
    sheet[f"D{month + 1}"] = f"=B{month + 1}-C{month + 1}"
for cell in sheet[1]:
    cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDDDDD")
chart = BarChart()
chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=13, max_col=3), titles_from_data=True)
sheet.add_chart(chart, "F2")
book.save("year.xlsx")
again = openpyxl.load_workbook("year.xlsx")["Übersicht"]
assert again["D2"].value == "=B2-C2" and again["A1"].font.bold
assert again["A2"].value == datetime.datetime(2024, 1, 1)

large = openpyxl.Workbook(write_only=True)
page = large.create_sheet("numbers")
for row in range(5000):
    page.append([row, row * row, f"row {row}"])
large.save("large.xlsx")
read = openpyxl.load_workbook("large.xlsx", read_only=True)["numbers"]
total = sum(row[1] for row in read.iter_rows(values_only=True))
print("openpyxl", again.max_row, total, os.path.exists("large.xlsx"))
