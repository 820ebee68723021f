"""Every sentence of a contest's pages, in every language."""

from tests.catalogues import in_templates, untranslated

from sfumato.arena.pages.board import ORDERS
from sfumato.arena.pages.files import STATES
from sfumato.arena.pages.organise import WHATS
from sfumato.arena.pages.rules import SAID
from sfumato.arena.pages.site import PACKAGE, TITLES, UNITS

IN_CODE = (*ORDERS.values(), *STATES.values(), *WHATS.values(), *SAID, *TITLES.values(), *UNITS, "judge", "organiser")


def test_every_sentence_has_its_french():
    """And no translation is left of a sentence that nobody says."""
    assert untranslated(PACKAGE, [*in_templates(PACKAGE), *IN_CODE]) == ([], [])
