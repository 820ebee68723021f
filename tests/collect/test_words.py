"""Every sentence of the pages of a survey, in every language."""

from tests.catalogues import in_templates, untranslated

from sfumato.collect.research.drawn import ALT, AXES
from sfumato.collect.research.routes import PACKAGE

IN_CODE = ("control at the first time", "each further time", "time")


def test_every_sentence_has_its_french():
    """And no translation is left of a sentence that nobody says."""
    assert untranslated(PACKAGE, [*in_templates(PACKAGE), *ALT.values(), *AXES.values(), *IN_CODE]) == ([], [])
