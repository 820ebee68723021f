"""The documentation site. It is built offline; warnings are errors."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE)]

from generated import modules  # noqa: E402

import sfumato  # noqa: E402

project = "Sfumato"
version = release = sfumato.__version__
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "quick"]
exclude_patterns = ["_build", "reference/generated"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Sfumato {version}"
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#14527d",
        "color-brand-content": "#14527d",
        "font-stack": 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif',
    },
    "dark_css_variables": {"color-brand-primary": "#8fc1e3", "color-brand-content": "#8fc1e3"},
}

suppress_warnings = ["ref.python"]  # a word in a docstring is no reference
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_use_type_comments = False  # there are none, and they are looked for in the source of every function
python_use_unqualified_type_names = True
napoleon_google_docstring = True
napoleon_custom_sections = [("Source", "notes_style"), ("Proof", "notes_style")]

LITERAL = re.compile(r"(``.+?``|`[^`]+`)")


def escape_markup(_app, _what, _name, _obj, _options, lines):
    """Docstrings are plain text with backticks: other marks of reStructuredText are meant literally."""
    example = False
    for i, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if not example:
            parts = LITERAL.split(line)
            lines[i] = "".join(p if j % 2 else re.sub(r"([*|]|_(?=\W|$))", r"\\\1", p) for j, p in enumerate(parts))


def generate(_app):
    """Write what is too long and too quickly stale for a page of its own in the checkout: the list of modules."""
    folder = HERE / "reference" / "generated"
    folder.mkdir(exist_ok=True)
    path, text = folder / "modules.md", modules()
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def setup(app):
    """Connect the above; escaping comes before napoleon reads the sections."""
    app.connect("builder-inited", generate)
    app.connect("autodoc-process-docstring", escape_markup, priority=100)
