"""Sentences of pages and their translations: which are said, which have no French, which nobody says any more."""

from importlib.resources import files

from jinja2.ext import babel_extract

from sfumato.language.catalogue import catalogue
from sfumato.web.pages.render import HERE, words

OPTIONS = {"trim_blocks": "true", "lstrip_blocks": "true", "extensions": "jinja2.ext.i18n"}


def in_templates(package):
    """Sentences between the tags of the templates of a package."""
    for one in sorted(files(package).joinpath("templates").iterdir(), key=lambda path: path.name):
        with one.open("rb") as file:
            for _, _, message, _ in babel_extract(file, ["_", "gettext", "ngettext"], [], OPTIONS):
                yield from (text for text in (message if isinstance(message, tuple) else [message]) if text)


def untranslated(package, said):
    """Sentences without French; and entries of the package's own catalogue that nobody says, or that all pages have."""
    french, own = words(package, "fr").said, set(catalogue(package, "words", "fr.po"))
    shared = set(catalogue(HERE, "words", "fr.po")) if package != HERE else set()
    return [text for text in said if not french.get(text)], sorted((own - set(said)) | (own & shared))
