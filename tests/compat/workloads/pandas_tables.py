# pandas: CSV, groups, joins, dates with zones, a pivot, and a workbook that is read back.
# SPDX-License-Identifier: MIT
import io

import pandas as pd

rows = ["day,shop,item,count,price"]
for number in range(600):
    day = pd.Timestamp("2024-01-01") + pd.Timedelta(days=number % 90)
    rows.append(f"{day:%Y-%m-%d},{'north' if number % 3 else 'south'},item{number % 7},"
                f"{number % 11},{number % 5 + 0.5}")
sales = pd.read_csv(io.StringIO("\n".join(rows)), parse_dates=["day"])
sales["total"] = sales["count"] * sales["price"]

by_shop = sales.groupby("shop")["total"].agg(["sum", "mean", "count"])
assert by_shop["count"].sum() == 600
shops = pd.DataFrame({"shop": ["north", "south"], "town": ["Oslo", "Lyon"]})
joined = sales.merge(shops, on="shop", how="left")
assert joined["town"].notna().all()
months = joined.pivot_table(index=joined["day"].dt.month, columns="town", values="total",
                            aggfunc="sum")
assert months.shape == (3, 2)
monthly = sales.set_index("day")["total"].resample("MS").sum()
assert abs(monthly.sum() - sales["total"].sum()) < 1e-9
zoned = sales["day"].dt.tz_localize("UTC").dt.tz_convert("Europe/Oslo")
assert str(zoned.iloc[0]) == "2024-01-01 01:00:00+01:00"

with pd.ExcelWriter("report.xlsx", engine="openpyxl") as writer:
    by_shop.to_excel(writer, sheet_name="shops")
    months.to_excel(writer, sheet_name="months")
back = pd.read_excel("report.xlsx", sheet_name="shops", index_col=0)
assert back["sum"].round(6).equals(by_shop["sum"].round(6))
joined.to_csv("joined.csv", index=False)
joined.to_pickle("joined.pickle")
assert pd.read_pickle("joined.pickle").equals(joined)
print("pandas", by_shop["sum"].round(2).to_dict(), months.round(1).values.tolist())
