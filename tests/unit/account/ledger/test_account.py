"""Scopes name each key once."""

import pytest

from sfumato.account.ledger.account import Scope
from sfumato.errors import ParameterError


@pytest.mark.parametrize(("column", "keys"), [("", ("a",)), ("c", ()), ("c", ("a", "a")), ("c", (1,)), (None, ("a",))])
def test_what_is_no_scope_is_refused(column, keys):
    with pytest.raises(ParameterError, match="scope"):
        Scope(column, keys)
