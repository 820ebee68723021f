"""GCP, discernibility, class size and precision of ARX's outputs on Adult, rebuilt from their levels."""

import numpy as np
import pytest
from tests.golden import adult

from sfumato.summary.classes import roll_up
from sfumato.summary.published import published_at_levels, published_of_partition, read_published
from sfumato.summary.span import Ncp
from sfumato.utility.labels import average_class_size, discernibility, gcp, ncp_by_attribute, precision, released_loss


def nodes(shared):
    """Recorded outputs whose levels are recorded too, by name."""
    levels = {e["name"]: e for e in adult.reference(shared)["k_anonymity_9qi"]}
    outputs = adult.reference(shared)["mondrian_and_arx_quality"]["arx_outputs"]
    return {o["src"]: (levels[o["src"]], o) for o in outputs if o["src"] in levels}


def rebuilt(shared, node, k):
    """The classes at a node, which are kept, and the published class of each finest one."""
    levels = [node["levels"][name] for name in adult.NINE]
    classes, member = roll_up(adult.classes(shared), adult.attributes(shared), levels)
    kept = classes.rows >= k
    return levels, classes.select(kept), kept, np.where(kept, np.cumsum(kept) - 1, -1)[member]


def test_minimal_covers_and_smallest_nodes_have_the_recorded_penalties(shared):
    found = nodes(shared)
    assert len(found) >= 10
    for node, output in found.values():
        _, classes, _, member = rebuilt(shared, node, output["k"])
        table = published_of_partition(adult.attributes(shared), adult.classes(shared), classes, member, observed=True)
        assert table.suppressed_rows == output["suppressed"]
        assert gcp(table, Ncp.WIDTH) == pytest.approx(output["GCP_set"], rel=1e-12)
        assert gcp(table, Ncp.NODE) == pytest.approx(output["GCP_lca"], rel=1e-12)
        for convention, place in ((Ncp.WIDTH, 0), (Ncp.NODE, 1)):
            expected = [output["per_attr_set_lca"][name][place] for name in adult.NINE]
            assert ncp_by_attribute(table, convention) == pytest.approx(expected, rel=1e-12)


def test_published_nodes_have_the_recorded_penalty(shared):
    for node, output in nodes(shared).values():
        levels, _, kept, _ = rebuilt(shared, node, output["k"])
        table = published_at_levels(adult.attributes(shared), adult.classes(shared), levels, kept, observed=True)
        assert gcp(table, Ncp.NODE) == pytest.approx(output["GCP_published"], rel=1e-12)


def test_discernibility_and_average_class_are_as_recorded(shared):
    for node, output in nodes(shared).values():
        _, classes, _, _ = rebuilt(shared, node, output["k"])
        assert discernibility(classes.rows, output["suppressed"]) == output["DM"]
        everyone, kept = 30162, classes.n_rows
        assert average_class_size(everyone, classes.n_classes, output["k"]) == pytest.approx(output["C_avg"])
        assert average_class_size(kept, classes.n_classes, output["k"]) == pytest.approx(output["C_avg_kept"])


def test_the_released_table_has_the_loss_that_arx_minimized(shared):
    """All suppression limits; the table is read from its texts, as anyone's would be."""
    for node in adult.reference(shared)["k_anonymity_9qi"]:
        k = int(node["name"].split("_")[0][1:])
        attributes = adult.attributes(shared)
        levels, _, kept, _ = rebuilt(shared, node, k)
        texts = [a.hierarchy.labels[level] for a, level in zip(attributes, levels, strict=True)]
        by_level = published_at_levels(attributes, adult.classes(shared), levels, kept)
        assert released_loss(by_level) == pytest.approx(node["loss"], abs=1e-9)
        by_text = read_published(attributes, texts, roll_up(adult.classes(shared), attributes, levels)[0])
        assert by_text.is_understood
        assert by_text.classes.n_rows == 30162


def test_anjana_outputs_have_the_recorded_discernibility(shared):
    """ANJANA drops the suppressed rows; the record counts them as indistinguishable from all."""
    for entry in adult.reference(shared)["mondrian_and_arx_quality"]["anjana"]:
        levels = [entry["levels"][name] for name in adult.NINE]
        classes, _ = roll_up(adult.classes(shared), adult.attributes(shared), levels)
        kept = classes.select(classes.rows >= entry["k"])
        assert discernibility(kept.rows, entry["suppressed"]) == entry["DM"]


@pytest.mark.parametrize("k", [2, 5, 10])
def test_precision_on_the_recorded_lattice(shared, k):
    """Every tenth node of the lattice over five attributes; ARX reports one minus the precision."""
    names = ["sex", "age", "race", "marital-status", "education"]
    lattice = adult.reference(shared)["full_lattice_5qi"]
    recorded = next(e for e in lattice if e["name"] == f"lattice5_k{k}_precision")
    attributes, finest = adult.attributes(shared, names), adult.classes(shared, names)
    rows = recorded["nodes_[transformation,suppressed,classes,loss,anonymity]"]
    assert len(rows) == 240
    for levels, suppressed, n_classes, loss, _ in rows[::10]:
        kept = roll_up(finest, attributes, levels)[0].rows >= k
        table = published_at_levels(attributes, finest, levels, kept)
        assert (table.suppressed_rows, table.classes.n_classes) == (suppressed, n_classes)
        assert 1 - precision(table) == pytest.approx(float(loss), abs=1e-9)
