"""Words say which subject a column speaks of; a user's own decide first."""

import pytest

from sfumato.errors import PlanError
from sfumato.table.schema import Role
from sfumato.table.words import known_words, phrase_of

WORDS = known_words()


def subjects_of(name):
    return {subject.name for subject in WORDS.subjects if subject.is_named_in(phrase_of(name))}


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("Diagnosis_2", "health"), ("maladie_chronique", "health"), ("handicapé", "health"), ("alcohol", "health"), ("atorvastatin", "health"),
        ("RevenuMensuel", "money"), ("hourly wage", "money"), ("dépenses", "money"), ("TOTAL_COSTS", "money"), ("épargne", "money"),
        ("Religion", "belief"), ("syndicat", "belief"), ("PartyVoted", "belief"), ("arrest_date", "offence"), ("condamnation", "offence"),
        ("satisfaction_vie", "opinion"), ("Q12b", "opinion"), ("trust_police", "opinion"), ("exam_score", "marks"), ("daily_kWh", "consumption"),
        ("survey_weight", "weight"), ("hhwgt", "weight"), ("date de naissance", "person"), ("Âge", "person"), ("diplôme", "standing"),
        ("code postal", "place"), ("longitude", "place"), ("mois", "time"), ("hobbies", "life"), ("split", "making"),
    ],
)  # fmt: skip
def test_names_in_two_languages(name, subject):
    assert subject in subjects_of(name)


@pytest.mark.parametrize("name", ["foo", "x7", "modern", "trapezium", "interval", "denominator"])
def test_names_that_say_nothing(name):
    assert not subjects_of(name)


@pytest.mark.parametrize(
    ("values", "subject"),
    [
        (["Catholic", "Muslim", "none"], "belief"), (["musulmane", "catholique", "sans"], "belief"),
        (["Tout à fait d'accord", "Plutôt d'accord", "Ne sait pas"], "opinion"), (["very satisfied", "rather dissatisfied"], "opinion"),
        (["<=50K", ">50K"], "money"), (["1 200 €", "900 €"], "money"), (["$12,000", "$7"], "money"),
        (["benign", "malignant"], "health"), (["Bronchitis", "Gastritis", "Flu"], "health"), (["never smoked", "smokes"], "health"),
    ],
)  # fmt: skip
def test_values_in_two_languages(values, subject):
    assert WORDS[subject].is_told_by(values)


@pytest.mark.parametrize("values", [["yes", "no"], ["1", "2", "3"], ["Lyon", "Paris"], []])
def test_values_that_say_nothing(values):
    assert not [subject.name for subject in WORDS.subjects if subject.is_told_by(values)]


def test_every_subject_has_words_of_its_own_and_every_entry_is_found_by_itself():
    for subject in WORDS.subjects:
        for entry in subject.names:
            example = entry.replace("#", "3").replace("*", "")
            assert subject.is_named_in(phrase_of(example)), (subject.name, entry)


def test_no_sensitive_word_stands_in_two_roles():
    roles = {}
    for subject in WORDS.subjects:
        for entry in subject.names:
            roles.setdefault(entry, set()).add(subject.role)
    assert not {entry for entry, found in roles.items() if len(found) > 1}


@pytest.mark.parametrize(
    "text",
    [
        "not TOML [", "x = 1", "[subject.a]\nnames = ['x']", "[subject.a]\nrole = 'secret'", "[subject.a]\nrole = 'sensitive'\nnames = 'x'",
        "[subject.a]\nrole = 'sensitive'\nnames = ['*']", "[subject.a]\nrole = 'sensitive'\npatterns = ['(']", "subject = 3",
        "[subject.a]\nrole = 'sensitive'\nnmaes = ['x']", "[subject]\na = 1", "[subject.a]\nrole = ['sensitive']",
    ],
)  # fmt: skip
def test_a_malformed_word_list_is_refused(text):
    with pytest.raises(PlanError):
        known_words(text)


def test_a_list_of_the_user_is_read_beside_the_shipped_one():
    words = known_words('[subject.union]\nrole = "sensitive"\nnames = ["badge*"]')
    assert words.own[0].role is Role.SENSITIVE
    assert words.own[0].says == "union"
    assert words.subjects == WORDS.subjects
