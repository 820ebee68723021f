"""Adult, Nursery and ACSEmployment as the reference values of local differential privacy use them."""

import csv
import gzip
import json

import numpy as np

FILES = {"adult": "adult_uci/adult_45222.csv.gz", "nursery": "nursery/nursery.csv.gz"}
RENAMED = {"salary": "income"}


def codes(path):
    """Codes of the sorted texts of each column, by name."""
    with gzip.open(path, "rt", newline="") as file:
        head, *rows = csv.reader(file)
    columns = [np.unique(np.array(column), return_inverse=True)[1] for column in zip(*rows, strict=True)]
    return dict(zip(head, columns, strict=True))


def reference_of(shared):
    """The measured reference values."""
    return json.loads((shared / "reference" / "ldp_reference.json").read_text("utf-8"))


def histograms_of(shared):
    """Persons who hold each value, for each attribute of each table."""
    out = {}
    for name, info in reference_of(shared)["datasets"].items():
        table = codes(shared / "data" / FILES[name])
        names = [attribute if attribute in table else RENAMED[attribute] for attribute in info["attributes"]]
        out[name] = [np.bincount(table[attribute]) for attribute in names]
        assert [len(held) for held in out[name]] == info["k"]
    return out


def employment_of(shared):
    """(10336, 18) codes of ACSEmployment, Montana."""
    table = codes(shared / "data" / "acs_folktables" / "ACSEmployment_Montana.csv.gz")
    return np.column_stack(list(table.values())).astype(np.int64)
