"""Names of keys in sentences, as HTML."""

from jinja2 import Environment
from markupsafe import Markup

from sfumato.language.marked import marked


def test_names_of_keys_are_code_and_all_else_is_escaped():
    """Also where a template prints it, and twice: nothing is escaped again, nothing foreign becomes an element."""
    page = Environment(autoescape=True).from_string("{{ text | safe }} {{ text }}")
    assert page.render(text=marked("of `k` <b>")) == " ".join(["of <code>k</code> &lt;b&gt;"] * 2)
    assert marked("`<img src=x>` ` ``") == Markup("<code>&lt;img src=x&gt;</code> ` ``")
    assert marked(Markup("<i>`k`</i>")) == Markup("<i><code>k</code></i>")
