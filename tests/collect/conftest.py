"""A browser for the pages of the collection server."""

from tests.studio.conftest import chromium  # noqa: F401 - a fixture
