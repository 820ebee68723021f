"""Small malformed tables of every kind, made from a seed."""

import gzip
import io

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

GOOD = b"age,sex,pay,born\n" + b"".join(
    b"%d,%s,%d.5,19%d-01-0%d\n" % (20 + i % 9, b"fm"[i % 2 : i % 2 + 1], i, 60 + i % 9, 1 + i % 9) for i in range(20)
)
_NUMBERS = ("1e308", "-1e308", "1e999", "nan", "inf", "9" * 400, "1" * 5000, "0x1f", "1_000", "٣", "-0", "1e-400", "")
_DATES = ("0000-00-00", "9999-12-31", "99999-01-01", "31/02/2000", "1e308", "-0001-01-01", "24:00:00", "2000-01-01T99")
_NAMES = (
    b"\xff\xfe",
    b"\0",
    b"",
    b" ",
    b'"',
    b"a\nb",
    b"__row",
    b"rowid",
    b"c0",
    b"*",
    b"\xef\xbb\xbf",
    "é".encode() * 300,
)


def _frame():
    return pa.table(
        {"age": [1, 2, 3, 4], "sexe": ["f", "m", "f", "m"], "pay": [1.5, float("nan"), float("inf"), 1e308]}
    )


def parquet():
    """A right Parquet file."""
    sink = io.BytesIO()
    pq.write_table(_frame(), sink)
    return sink.getvalue()


def arrow():
    """A right Arrow file."""
    sink = io.BytesIO()
    pyarrow.feather.write_feather(_frame(), sink, compression="uncompressed")
    return sink.getvalue()


def declared():
    """Tables that are wrong in a known way: name and bytes."""
    for i, number in enumerate(_NUMBERS):
        yield f"number{i}.csv", GOOD.replace(b"\n21,", f"\n{number},".encode())
        yield f"numbers{i}.csv", b"age,sex\n" + f"{number},f\n".encode() * 5
    for i, day in enumerate(_DATES):
        yield f"date{i}.csv", GOOD.replace(b"1961-01-02", day.encode())
    for i, name in enumerate(_NAMES):
        yield f"name{i}.csv", GOOD.replace(b"sex", name, 1)
        yield f"name{i}.parquet", parquet().replace(b"sexe", (name + b"\xff" * 4)[:4])
        yield f"name{i}.arrow", arrow().replace(b"sexe", (name + b"\xff" * 4)[:4])
    yield from (
        ("empty.csv", b""), ("blank.csv", b"\n\n\n"), ("header.csv", b"a,b\n"), ("nul.csv", b"a,b\n1,\0\n"),
        ("commas.csv", b"," * 10**6), ("quotes.csv", b'"' * 1001), ("open.csv", b'a,b\n"1,2\n'), ("ragged.csv", b"a,b\n1\n1,2,3\n"),
        ("half.csv.gz", gzip.compress(GOOD * 50)[:60]), ("not.csv.gz", b"\x1f\x8b" + b"x" * 30), ("zstd.csv", b"\x28\xb5\x2f\xfd" + b"x" * 30),
        ("bom.csv", b"\xff\xfea"), ("half.parquet", parquet()[:40]), ("name.parquet", GOOD), ("zip.xlsx", b"PK\x03\x04" + b"x" * 60),
        ("ole.xls", b"\xd0\xcf\x11\xe0" + b"x" * 600),
    )  # fmt: skip


def damaged(rng):
    """One of the right files with some bytes changed: name and bytes."""
    suffix, data = rng.choice(
        (
            ("csv", GOOD),
            ("csv", GOOD),
            ("parquet", parquet()),
            ("arrow", arrow()),
            ("csv.gz", gzip.compress(GOOD, mtime=0)),
        )
    )
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(len(changed))
        put = rng.choice((b"", b"\0", b"\xff", b'"', b",", b"\n", b"\r", b"1e308", bytes([rng.randrange(256)])))
        changed[at : at + rng.choice((0, 1, 4))] = put
    return f"damaged.{suffix}", bytes(changed)
