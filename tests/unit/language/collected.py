"""What is said in English, read from the source: sentences of the report, of results, and of errors."""

import ast
import re
from importlib.resources import files
from pathlib import Path

from jinja2.ext import babel_extract

import sfumato
from sfumato import errors

HERE = Path(sfumato.__file__).parent
ERRORS = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, Exception)} | {
    "Fault"
}
MARKS = {"_", "gettext"}
MARKED, ERROR = re.compile(r"\b(_|gettext)\("), re.compile(rf"\b({'|'.join(sorted(ERRORS))})\b")
"""What stands in a file that marks a sentence, or names an error: other files are not parsed for it."""


def modules(room, said=re.compile("")):
    """Each module of a room in whose text something is said, with its tree."""
    place = HERE / room
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        if said.search(path.read_text("utf-8")):
            yield path, ast.parse(path.read_text("utf-8"))


def name_of(call):
    """The function's name in a call."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def of_templates(package):
    """Sentences between the tags of a package's templates."""
    options = {"trim_blocks": "true", "lstrip_blocks": "true", "extensions": "jinja2.ext.i18n"}
    for one in sorted(files(package).joinpath("templates").iterdir(), key=lambda path: path.name):
        if one.name.endswith(".html"):
            with one.open("rb") as file:
                for _, _, message, _ in babel_extract(file, ["_", "gettext", "ngettext"], [], options):
                    yield from (text for text in (message if isinstance(message, tuple) else [message]) if text)


def marked(room):
    """Sentences that code hands to `gettext`."""
    for _, tree in modules(room, MARKED):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name_of(node) in MARKS and node.args:
                yield from constants(node.args[0])


def constants(node):
    """Texts that an expression may be."""
    if isinstance(node, ast.IfExp):
        yield from (*constants(node.body), *constants(node.orelse))
    elif isinstance(node, ast.BoolOp):
        for one in node.values:
            yield from constants(one)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def is_error(node):
    """Whether a call makes an error of Sfumato, `SomeError.of` among them."""
    if not isinstance(node, ast.Call):
        return False
    func = node.func
    of = isinstance(func, ast.Attribute) and func.attr == "of" and isinstance(func.value, ast.Name)
    return (func.value.id if of else name_of(node)) in ERRORS


def error_texts(room):
    """Templates of errors that stand where an error is made, or under a name of the same module."""
    found = {}
    for _, tree in modules(room, ERROR):
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.Call)]
        named = {
            target.id: list(constants(node.value))
            for node in nodes
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in nodes:
            if is_error(node):
                for arg in node.args[:2]:
                    texts = named.get(arg.id, []) if isinstance(arg, ast.Name) else constants(arg)
                    found |= dict.fromkeys(text for text in texts if re.search("[a-z]{2}", text))
    return list(found)


def said_in(expression):
    """What an expression is called as a value of a sentence."""
    names = [
        getattr(node, "attr", None) or getattr(node, "id", None)
        for node in ast.walk(expression)
        if isinstance(node, (ast.Attribute, ast.Name))
    ]
    return next((name for name in names if name != "self"), "x")


def template(node):
    """A text, or an f-string as a template with names of values."""
    if isinstance(node, ast.Constant):
        return node.value
    out, seen = "", {}
    for part in node.values:
        if isinstance(part, ast.Constant):
            out += part.value.replace("{", "{{").replace("}", "}}")
        else:
            name = said_in(part.value)
            seen[name] = seen.get(name, 0) + 1
            out += f"{{{name}{seen[name] if seen[name] > 1 else ''}}}"
    return out


def texts(room):
    """All texts of a room but docstrings and errors."""
    found = []
    for _, tree in modules(room):
        _walk(tree, found)
    return list(dict.fromkeys(text for text in found if " " in text.strip() and re.search("[a-z]{3}", text)))


def _walk(node, found):
    if is_error(node):
        return
    if isinstance(node, (ast.JoinedStr, ast.Constant)):
        if isinstance(node, ast.JoinedStr) or isinstance(node.value, str):
            found.append(template(node))
        for part in getattr(node, "values", ()):
            if isinstance(part, ast.FormattedValue):
                _walk(part.value, found)
        return
    for child in ast.iter_child_nodes(node):
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not is_docstring and not isinstance(child, ast.arguments):
            _walk(child, found)
