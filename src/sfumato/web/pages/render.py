"""Pages as HTML: every text from elsewhere is escaped, every sentence is said in the reader's language."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from sfumato.language.asked import asked
from sfumato.language.catalogue import catalogue
from sfumato.language.marked import marked
from sfumato.language.words import ENGLISH, LANGUAGES, NAMES, beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment

    from sfumato.language.words import Words

HERE = "sfumato.web.pages"


@cache
def words(package: str, language: str) -> Words:
    """The sentences that the pages of a server say, with those of all pages.

    Args:
        package: of the server; `words/LANGUAGE.po` has what its pages say.
        language: one of `LANGUAGES`.

    Example:
        >>> words("sfumato.studio", "fr").gettext("Run"), words("sfumato.studio", "fr").gettext("Sign out")
        ('Exécuter', 'Se déconnecter')
    """
    if language == "en":
        return ENGLISH
    shared, own = (catalogue(one, "words", f"{language}.po") for one in (HERE, package))
    return beside(language, shared | own)


@cache
def environment(package: str, language: str) -> Environment:
    """The templates of a server in one language; those of all pages are `web/NAME`, those of reports `report/NAME`.

    Args:
        package: of the server; its templates are in `templates/`.
        language: one of `LANGUAGES`.
    """
    from jinja2 import ChoiceLoader, PackageLoader, PrefixLoader

    from sfumato.report.kept_templates import templates_of

    said = words(package, language)
    others = {"web": PackageLoader(HERE, "templates"), "report": PackageLoader("sfumato.report", "templates")}
    filters: dict[str, Callable[..., Any]] = {
        "said": lambda text: marked(said.gettext(text)),
        "say": lambda text: marked(said.say(text)),
        "asked": partial(asked, words=said),
        "spelled": said.spelled,
        "number": said.number,
        "percent": said.percent,
    }
    found = templates_of(ChoiceLoader([PackageLoader(package, "templates"), PrefixLoader(others)]), said, filters)
    found.globals["languages"] = [(code, NAMES[code]) for code in LANGUAGES]
    return found


def page(package: str, language: str, template: str, **shown: Any) -> str:
    """A template of a server with what it shows."""
    return environment(package, language).get_template(template).render(**shown)
