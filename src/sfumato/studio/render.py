"""Pages as HTML: every text from a table or a plan is escaped, every sentence is said in the reader's language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sfumato.studio.words import LANGUAGES, NAMES, words

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(language: str) -> Environment:
    """The templates in one language."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined

    said = words(language)
    own = PackageLoader("sfumato.studio", "templates")
    found = Environment(
        loader=ChoiceLoader([own, PrefixLoader({"report": PackageLoader("sfumato.report", "templates")})]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    found.install_gettext_callables(said.gettext, said.ngettext, newstyle=True)  # type: ignore[attr-defined]
    found.filters["said"] = said.gettext
    found.filters["say"] = said.say
    found.filters["spelled"] = said.spelled
    found.filters["number"] = said.number
    found.filters["percent"] = said.percent
    found.globals.update(language=language, languages=[(code, NAMES[code]) for code in LANGUAGES])
    return found


def page(language: str, template: str, **shown: Any) -> str:
    """A template with what it shows."""
    return environment(language).get_template(template).render(**shown)
