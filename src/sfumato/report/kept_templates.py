"""Compiled templates beside Python's own bytecode, as Numba keeps compiled loops: read again instead of compiled anew."""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import BytecodeCache, Environment, StrictUndefined, pass_context
from jinja2.bccache import bc_magic

from sfumato.language.marked import marked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2 import BaseLoader
    from jinja2.bccache import Bucket

    from sfumato.language.words import Words


def templates_of(
    loader: BaseLoader, say: Words, filters: Mapping[str, Callable[..., Any]] | None = None
) -> Environment:
    """The templates of reports or of pages in a language, kept when they are compiled; all texts that they get are escaped.

    Args:
        loader: where they are.
        say: the language.
        filters: beside `marked`; all are asked late.

    Example:
        >>> from jinja2 import DictLoader
        >>> from sfumato.language.words import words
        >>> templates = templates_of(DictLoader({"a": "{{ language }}: {{ text | marked }}"}), words("en"))
        >>> templates.get_template("a").render(text="<b> `k`")
        'en: &lt;b&gt; <code>k</code>'
    """
    found = Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        bytecode_cache=KeptTemplates(),
    )
    found.install_gettext_callables(say.gettext, say.ngettext, newstyle=True)  # type: ignore[attr-defined]
    found.filters.update({name: late(one) for name, one in {"marked": marked, **(filters or {})}.items()})
    found.globals["language"] = say.language
    return found


def late(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is asked each time a page is made.

    Jinja asks other filters of constants while it compiles, and a template that is kept would keep what they said: in
    the language of whoever compiled it.

    Example:
        >>> from jinja2 import Environment
        >>> templates = Environment(autoescape=True)
        >>> templates.filters["loud"] = late(str.upper)
        >>> templates.from_string("{{ 'no' | loud }}").render()
        'NO'
    """

    @pass_context
    def asked(_: object, *given: Any, **named: Any) -> Any:
        return function(*given, **named)

    return asked


def _own_folder() -> Path | None:
    """Where Python keeps the bytecode of this module; None: it keeps none."""
    try:
        return Path(cache_from_source(__file__)).parent
    except NotImplementedError:
        return None


class KeptTemplates(BytecodeCache):
    """Where compiled templates lie: the folder in which Python keeps the bytecode of this module.

    Whoever may write there may write Python's own bytecode too. A file is taken only if it was written by the same
    version of Python's bytecode and of Jinja's, from a template of the same digest; otherwise, and where nothing can be
    written or Python was told to write no bytecode, templates are compiled anew.

    Args:
        folder: where they lie; None: the folder of this module's bytecode.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from jinja2 import DictLoader, Environment
        >>> with TemporaryDirectory() as place:
        ...     kept = KeptTemplates(Path(place))
        ...     templates = Environment(loader=DictLoader({"a": "{{ 1 + 1 }}"}), autoescape=True, bytecode_cache=kept)
        ...     templates.get_template("a").render(), len(list(Path(place).iterdir())) == (not sys.dont_write_bytecode)
        ('2', True)
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = _own_folder() if folder is None else folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if it is there and belongs to what is asked."""
        if self._folder is None:
            return
        with suppress(OSError, EOFError, ValueError, TypeError):  # not there, or not whole
            kept, head = _place(self._folder, bucket).read_bytes(), _head(bucket)
            if kept.startswith(head):
                bucket.code = marshal.loads(kept[len(head) :])  # noqa: S302  as trusted as Python's own bytecode beside it

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, whole or not at all."""
        if self._folder is None or sys.dont_write_bytecode:
            return
        place = _place(self._folder, bucket)
        beside = place.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                with beside.open("xb") as file:
                    file.write(_head(bucket) + marshal.dumps(bucket.code))
                beside.replace(place)
            except OSError:
                beside.unlink(missing_ok=True)


def _place(folder: Path, bucket: Bucket) -> Path:
    """The file of a template."""
    return folder / f"{bucket.key}.template"


def _head(bucket: Bucket) -> bytes:
    """What a file begins with that belongs to a template as it is compiled now."""
    return b"".join((MAGIC_NUMBER, bc_magic, bucket.checksum.encode()))
