"""The documentation site. It is built offline; warnings are errors."""

import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))

import sfumato  # noqa: E402

project = "Sfumato"
version = release = sfumato.__version__
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
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


def write_keys():
    """The keys of the result document as a table."""
    shape = importlib.import_module("sfumato.report.shape")
    rows = ["| key | kind | meaning |", "|---|---|---|"]
    for path, key in shape.lines():
        kind = key.kind + (" or null" if key.nullable else "") + (", required" if key.required else "")
        choices = f": {', '.join(key.choices)}" if key.choices else ""
        rows.append(f"| `{path}` | {kind} | {key.meaning.replace('|', chr(92) + '|')}{choices} |")
    return "\n".join(rows) + "\n"


def write_commands():
    """The help of every command, as the program prints it."""
    import click

    commands = importlib.import_module("sfumato.cli.main").commands
    parts = []
    for name, command in sorted(commands.commands.items()):
        context = click.Context(command, info_name=f"sfumato {name}", max_content_width=88)
        parts.append(f"## sfumato {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def write_models():
    """Every privacy model with the keys that a plan gives."""
    from dataclasses import fields

    registry = importlib.import_module("sfumato.guarantee.registry")
    rows = ["| `model` | further keys | judged | what it means |", "|---|---|---|---|"]
    for cls in sorted(
        registry._classes(),  # noqa: SLF001
        key=lambda c: (c.model, str(getattr(c, "variant", ""))),
    ):
        keys = [f'`{k} = "{v}"`' for k, v in getattr(cls, "variant", {}).items()] + [f"`{f.name}`" for f in fields(cls)]
        how = "each class" if hasattr(cls, "holds") else "all classes together"
        meaning = (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        rows.append(
            f"| `{cls.model}` | {', '.join(keys)} | {how} | {' '.join(meaning.split())} |".replace("|E|", "size")
        )
    return "\n".join(rows) + "\n"


def write_modules():
    """Every module with its first line."""
    import ast

    rows = ["| module | |", "|---|---|"]
    root = HERE.parent / "src"
    for path in sorted((root / "sfumato").rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]
        rows.append(f"| `{name}` | {first.replace('|', chr(92) + '|').replace('*', chr(92) + '*')} |")
    return "\n".join(rows) + "\n"


def generate(_app):
    """Write what the code itself knows best; unchanged files are left alone."""
    folder = HERE / "reference" / "generated"
    folder.mkdir(exist_ok=True)
    parts = {"keys": write_keys, "commands": write_commands, "models": write_models, "modules": write_modules}
    for name, write in parts.items():
        text = write()
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def setup(app):
    """Connect the above; escaping comes before napoleon reads the sections."""
    app.connect("builder-inited", generate)
    app.connect("autodoc-process-docstring", escape_markup, priority=100)
