"""Every sentence on what location privacy does not promise stands where it is said, with the test that shows the leak."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
LOCATION, ATTACK = "unit/mechanism/location", "unit/attack/traces"
REPORTS, CROWDS = f"{LOCATION}/test_leaks_of_reports.py", f"{LOCATION}/crowds/test_leaks_of_crowds.py"
CLOAK, DUMMIES = f"{LOCATION}/crowds/test_cloak.py", f"{LOCATION}/test_dummies.py"
AVERAGED = f"{REPORTS}::test_whoever_stays_is_found_by_averaging_fresh_reports_of_any_number_of_releases"
RETURNS = f"{REPORTS}::test_remembered_reports_show_who_returns_and_when"
DISTINCT = f"{REPORTS}::test_distinct_cells_of_remembered_reports_add_up"
TIMES = f"{REPORTS}::test_when_somebody_reports_says_who_it_is"
HEAT = f"{REPORTS}::test_heat_maps_find_persons_whose_stays_are_gone"
SLOW = f"{REPORTS}::test_who_hardly_moves_in_a_piece_stays_at_constant_speed_too"
MOVED_ON = f"{REPORTS}::test_predictive_reports_show_how_often_a_person_moved_on"
WEEKS = f"{REPORTS}::test_a_person_of_thirty_weeks_is_found_where_one_week_is_protected"
HOLE = f"{LOCATION}/test_rules.py::test_a_hole_around_home_shows_home_unless_the_circle_was_moved"
FOLLOWED = f"{CLOAK}::test_a_person_alone_on_the_way_is_followed_through_boxes_of_many"
DELTA = f"{LOCATION}/crowds/test_near_paths.py::test_only_delta_zero_hides_who_is_who"
SLOT = f"{CROWDS}::test_a_slot_without_one_of_the_group_is_suppressed_for_all"
LEADER = f"{CROWDS}::test_near_paths_show_k_persons_where_one_of_them_truly_was"
MATCHED = f"{LOCATION}/crowds/test_mix_zones.py::test_log_k_is_not_what_the_observer_misses"
UNLIKE = f"{DUMMIES}::test_a_person_who_moves_unlike_the_public_is_found_among_dummies_that_do"
FRIEND = (
    f"{LOCATION}/by_design/test_by_design.py::test_a_friend_who_reads_the_store_finds_the_cell_and_nobody_else_does"
)
BOTH = f"{LOCATION}/by_design/test_by_design.py::test_whoever_sees_both_sets_learns_the_cell"
LOOKS = f"{CROWDS}::test_keepers_see_that_and_how_often_somebody_looks_and_together_where"
NEAR = f"{CROWDS}::test_the_server_of_friends_sees_who_is_near_whom_over_time_and_how_often_they_move"
OVERLAP = f"{CROWDS}::test_questions_to_the_server_of_friends_show_how_far_the_askers_are_apart"
BUSIEST = f"{CROWDS}::test_who_knows_which_cell_is_busiest_reads_its_token"
SHOWN = {
    "docs/concepts/crowds.md": {
        "boxes of one person cannot be put together: whoever is alone on the way is followed": FOLLOWED,
        "that k are shown by it: one can be": f"{CLOAK}::test_the_published_quadtree_shows_one_person_in_a_box_of_three",
        "that nothing is lost: slots without one of them are suppressed": SLOT,
        "k-anonymity **only for δ = 0**": DELTA,
        "that δ > 0 hides who is who": DELTA,
        "log₂ k bits: entry and exit times say who is who": MATCHED,
        "that a person moves like the public": UNLIKE,
        "that the hole does not show what it hides": HOLE,
        "that it does not see who is near whom": NEAR,
        "which cell is busiest": BUSIEST,
        "anything against a friend who reads its store": FRIEND,
        "anything if both are seen": BOTH,
        "k persons in a zone are not k to choose from": f"{ATTACK}/test_matchings.py::test_ten_persons_whose_times_say_who_they_are_are_not_ten_to_choose_from",
        "A hole shows what it hides": HOLE,
        "What hides positions does not hide persons": HEAT,
        "(near paths: the leader's stays are true)": LEADER,
    },
    "docs/concepts/location.md": {
        "far ones are not hidden: that somebody is in Lyon stays true": f"{REPORTS}::test_far_positions_are_told_apart_by_one_report",
        "**Reports add up**": AVERAGED,
        "A person who stays at home and reports every minute is found by averaging": AVERAGED,
        "whoever stays is found by averaging": AVERAGED,
        "that, and when, a person returns": RETURNS,
        "the bound grows with the cells visited": DISTINCT,
        "how often a person moved on": MOVED_ON,
        "There is no formal promise": HEAT,
        "a piece in which a person hardly moves still shows it": SLOW,
        "who is seen in n weeks is protected by n ε": WEEKS,
        "does not hide who somebody is: heat maps do not need places": HEAT,
        "Who reports one place n times with fresh noise is found": f"{ATTACK}/test_repeated_positions.py::test_errors_fall_by_the_law",
    },
    "docs/how-to/find-nearby.md": {
        "**Both together learn the cell.**": LOOKS,
        "That somebody asked, and when, is not hidden": LOOKS,
        "it sees which are equal, when they come, and how often they change": NEAR,
        "**The server learns who is near whom.**": NEAR,
        "questions that share six, four or three of their nine tokens": OVERLAP,
        "the token that is left most often is that of the busiest cell": BUSIEST,
        "**A friend who reads the server's store can try all cells**": FRIEND,
    },
    "docs/how-to/publish-traces.md": {
        "Reports of one person **add up**": AVERAGED,
        "distinct cells add up": DISTINCT,
        "returns to a cell shows;": RETURNS,
        "nothing is promised about it.": RETURNS,
        "**Promesse** promises nothing": HEAT,
        "takes stays away and keeps the way": f"{REPORTS}::test_constant_speed_keeps_where_a_way_begins",
        "Nothing is promised: a hole around a home shows where it is": HOLE,
        "only `delta = 0` makes their records the same": DELTA,
        "two releases of the same persons add up": AVERAGED,
    },
    "LIMITATIONS.md": {
        "Geo-indistinguishability adds up": AVERAGED,
        "Times of reports are not protected": TIMES,
        "between persons of different patterns of visits nothing is promised": RETURNS,
        "when a budget is spent, the last report is repeated for ever": f"{REPORTS}::test_a_budget_that_is_spent_repeats_the_last_report_wherever_the_person_is",
        "Promesse promises nothing by proof, and keeps the way": HEAT,
        "a person moves a few hundred metres in hours shows where": SLOW,
        "two reports of nearly equal tables may differ by one cell": f"{REPORTS}::test_maps_of_a_report_differ_by_a_cell_where_one_person_more_is_enough",
        "A weekly unit protects one week": WEEKS,
        "nothing adds up the weeks of a person": WEEKS,
        "A table without any row is refused, which tells that nobody is in it": f"{REPORTS}::test_a_refusal_tells_that_nobody_is_in_a_table",
        "That reports of one person add up is told, not limited": AVERAGED,
        "a cloak hides one fix, not a way of several": FOLLOWED,
        "shared paths suppress a whole slot": SLOT,
        "a detector that knows the person's habits does better": f"{CROWDS}::test_who_knows_a_person_s_habit_finds_it_among_dummies_that_move_alike",
        "that two keepers do not talk to each other is trusted, not enforced": LOOKS,
        "who leaves it keeps it, until a new circle is drawn": f"{CROWDS}::test_who_left_the_friends_reads_tokens_of_later_days",
        "links the cells of a day by their equality": NEAR,
        "The server of friends learns who is near whom": NEAR,
        "how far apart two questions with common tokens are": OVERLAP,
        "sees that and when somebody asks": LOOKS,
    },
    "src/sfumato/mechanism/location": {
        "When the person is at a cell it was at before still shows": RETURNS,
        "Nothing is promised between persons of different patterns": RETURNS,
        "When a person returns to a cell is not hidden": RETURNS,
        "distinct cells add up": DISTINCT,
        "It hides stays, not the way": HEAT,
        "whoever hardly moves in a piece still stays": SLOW,
        "No formal promise is made": HEAT,
        "**They promise nothing**": UNLIKE,
        "Nobody is hidden among persons here": UNLIKE,
        "when a report is made is not hidden": TIMES,
        "far ones may be told apart": f"{REPORTS}::test_far_positions_are_told_apart_by_one_report",
        "From that it learns who is near whom": NEAR,
        "how far apart two questions are whose tokens overlap": OVERLAP,
        "that of a cell known to be busiest": BUSIEST,
        "**A friend who reads the server's store can try all cells**": FRIEND,
        "**Whoever sees both sets learns the cell**": BOTH,
        "**Only δ = 0 gives k-anonymity**": DELTA,
        "What an observer still knows is not log₂ k": MATCHED,
        "who passes alone keeps the name": f"{CROWDS}::test_who_passes_a_mix_zone_alone_is_followed_by_name",
        "**A hole shows what it hides.**": HOLE,
        "Move the circle once and for good": f"{REPORTS}::test_a_circle_that_is_moved_again_each_day_shows_its_middle",
    },
    "src/sfumato/release/traces": {
        "several fixes of one person can be put together, and who is alone on the way is followed": FOLLOWED,
        "What k persons have in common is told: where all of them were": f"{CROWDS}::test_a_shared_record_tells_where_all_of_its_persons_were",
        "This is no k-anonymity": DELTA,
        "leaves can show what is in it": f"{REPORTS}::test_a_rule_of_hours_shows_when_it_hides",
        "that somebody was out at a time is not hidden": TIMES,
        "No formal promise is made of these traces": HEAT,
    },
}
SAYS = re.compile(
    r"not hidden|not promised|(is|promises?) nothing|nothing is promised|no (formal )?promise|still shows|not hide|"
    r"adds? up|hides? one fix|is followed|no k-anonymity|both together|who is who \||can try all|may be told apart|"
    r"be put together|hole [a-z ]*shows?|learns? (the cell|who)|sees both|not protected|not enforced|leaves it keeps",
    re.IGNORECASE,
)
"""Words by which a sentence of a page tells a leak."""
ASIDE = (
    "who is who |",  # what an attack finds, in a table of attacks
    "how long a run takes is not protected",  # no test may depend on speed
    "Numbers cut at 0 add up to six times the truth",
    "A ledger adds up losses of one unit",
    "What each does not promise",
    "not promised |",
    "what still shows |",
)
"""Sentences with such words that tell none, or whose leak no test may measure."""
CASES = [(place, said, test) for place, told in SHOWN.items() for said, test in told.items()]


def text_of(place):
    """Words of a page, or of all modules of a folder, in one line; texts that code puts together are together."""
    path = ROOT / place
    if path.is_dir():
        modules = [re.sub(r'"\s*\n\s*f?"', "", one.read_text("utf-8")) for one in sorted(path.rglob("*.py"))]
        return re.sub(r"\s+", " ", " ".join(modules))
    page = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    if place == "LIMITATIONS.md":
        page = page[page.index("## Location") :].split("\n## ")[0]
    return re.sub(r"\s+", " ", page)


@pytest.mark.parametrize("place", SHOWN)
def test_each_sentence_stands_there(place):
    text = text_of(place)
    assert [said for said in SHOWN[place] if said not in text] == []


def test_each_test_is_one_that_asserts():
    """By name in the tree of its file, with an assertion in its body."""
    tests = sorted({tuple(test.split("::")) for *_, test in CASES})
    for file in sorted({file for file, _ in tests}):
        tree = ast.parse((ROOT / "tests" / file).read_text("utf-8"))
        asserts = {
            one.name
            for one in tree.body
            if isinstance(one, ast.FunctionDef) and any(isinstance(part, ast.Assert) for part in ast.walk(one))
        }
        assert {name for of, name in tests if of == file} <= asserts


@pytest.mark.parametrize("place", [place for place in SHOWN if place.endswith(".md")])
def test_no_sentence_of_a_page_tells_a_leak_that_no_test_shows(place):
    sentences = re.split(r"(?<=[.|;])\s", text_of(place))
    left = [one for one in sentences if SAYS.search(one) and not any(said in one for said in (*SHOWN[place], *ASIDE))]
    assert left == []
