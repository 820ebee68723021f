"""What Sphinx does for the check of the pages, without what costs most and cannot go wrong by a page."""

import logging

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.domains.python import PythonDomain
from sphinx.pycode.parser import Parser


class Python(PythonDomain):
    """Sphinx's own; a name that no object's last part is not looked for in the whole list, as most types are not."""

    def find_obj(self, env, modname, classname, name, *rest):
        """The same matches: whatever matches ends with the last part of the name."""
        if getattr(self, "counted", None) != len(self.objects):
            self.counted, self.last = len(self.objects), {each.rpartition(".")[2] for each in self.objects}
        if name.removesuffix("()").rpartition(".")[2] not in self.last:
            return []
        return super().find_obj(env, modname, classname, name, *rest)


class Check(StandaloneHTMLBuilder):
    """Reads and translates every page as for the site, with every warning, and fills the frame of the first alone.

    The frame lists all pages and costs as much as the page; the index of the search is not made.
    """

    name = "check"
    search = False

    def handle_page(self, pagename, *rest, **named):
        """The frame, once."""
        if pagename == self.config.root_doc:
            super().handle_page(pagename, *rest, **named)


def setup(app):
    """Both are for this site alone, and pages can be read and written side by side.

    What is told to who looks for a fault of Sphinx is not put together, and the lines where functions begin and end are
    not looked for: only pages of source code, which are not made, read them.
    """
    logging.getLogger("sphinx").setLevel(logging.INFO)
    Parser.parse_definition = lambda _: None
    app.add_domain(Python, override=True)
    app.add_builder(Check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
