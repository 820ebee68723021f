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


def weeks(name, data=None):
    _, document = reproduce(name, data, runs=None, quick=True, seed=1, progress=lambda *_: None)
    return {(row["way"], row["reports"]): row for row in document.rows}


def test_weeks_lose_what_they_are_said_to_lose_and_a_model_gains_where_noise_is_fresh():
    """200 persons of the simulated city, two weeks. All chance has a seed: nothing is drawn anew."""
    rows = weeks("weeks-city")
    fresh, kept, bits, hashed, blind = (
        rows[way, 112] for way in ("planar, fresh", "planar, memoised", "RAPPOR", "LOLOHA", "nothing")
    )
    assert (fresh["epsilon_one"], fresh["epsilon"]) == (1, 112)
    assert hashed["epsilon"] <= 4 + 1e-6 < kept["epsilon"] < bits["epsilon"] < fresh["epsilon"]
    assert fresh["epsilon_far"] > 9 * fresh["epsilon"]
    assert bits["epsilon_far"] == bits["epsilon"]
    assert fresh["home_model"] > fresh["home_average"] + 0.2  # who moves is not in one place: averages mislead
    assert fresh["home_model"] > kept["home_model"] + 0.2  # memory stops it
    assert fresh["miss_model"] < fresh["miss_alone"] - 100 < blind["miss_model"] - 1000
    assert fresh["histogram"] < kept["histogram"]  # and costs worth
    assert max(bits["home_model"], hashed["home_model"]) < 0.15


def test_weeks_of_real_positions(shared):
    rows = weeks("weeks-gowalla", shared / "data")
    fresh, kept, blind = (rows[way, 30] for way in ("planar, fresh", "planar, memoised", "nothing"))
    assert fresh["epsilon"] == 30 > kept["epsilon"]
    assert fresh["home_model"] > max(kept["home_model"], blind["home_model"])
    assert fresh["miss_model"] < fresh["miss_alone"] < blind["miss_alone"]
