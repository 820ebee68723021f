"""What memory protects in a daily position, and what it does not."""

from sfumato.study.catalog import reproduce


def test_memory_stops_averaging_and_two_devices_undo_a_part_of_it():
    """300 persons: shares that differ by more than 0.3 do so by more than 7 standard errors."""
    _, document = reproduce("longitudinal-location", None, runs=1, quick=True, seed=1, progress=lambda *_: None)
    rows = {(r["protocol"], r["memory"], r["cells"], r["days"]): r for r in document.rows}
    fresh, kept, two, hashed = (
        rows[key] for key in (
            ("L-OSUE", "none", 5, 100), ("L-OSUE", "one device", 5, 100), ("L-OSUE", "two devices", 5, 100),
            ("LOLOHA", "one device", 5, 100),
        )
    )  # fmt: skip
    assert fresh["home_found"] > kept["home_found"] + 0.3
    assert fresh["epsilon"] == 100
    assert abs(kept["epsilon"] - 10) < 1e-9
    assert abs(two["epsilon"] - 20) < 1e-9
    assert two["home_found"] > kept["home_found"]
    assert abs(hashed["epsilon"] - 4) < 1e-9
    assert hashed["home_found"] < 0.1
    assert kept["move_noticed"] > 0.9
    more = [rows["L-OSUE", "one device", cells, 100]["epsilon"] for cells in (1, 2, 5, 10, 20)]
    assert [round(value, 6) for value in more] == [2, 4, 10, 20, 40]
    assert fresh["epsilon_move"] == 50
    assert kept["epsilon_move"] > hashed["epsilon_move"] > fresh["epsilon_move"]
    assert abs(two["epsilon_move"] - 2 * kept["epsilon_move"]) < 1e-6
