"""Where the studio listens, and by which name browsers reach it: on this machine alone, unless a team is let in from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.web.reached import Reached, authority, is_here

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HOME = "127.0.0.1"
_HTTPS = 443


@dataclass(frozen=True, slots=True)
class Outside:
    """What the command says about others than the user of this machine.

    Args:
        host: address or name to listen on.
        users: file of users; None: there is one user.
        proxy: origin by which browsers reach the proxy before the studio; "": there is none.
        header: header in which that proxy tells addresses; "": none is believed.
        certificate: of TLS, as PEM; None: no TLS.
        key: of the certificate.
    """

    host: str = HOME
    users: Path | None = None
    proxy: str = ""
    header: str = ""
    certificate: Path | None = None
    key: Path | None = None

    @property
    def server(self) -> Reached:
        """The same as of any server."""
        return Reached(self.host, bool(self.proxy), self.certificate, self.key)

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach the studio by https."""
        return self.server.is_secure

    def check(self, readable: Sequence[Path]) -> None:
        """Refuse what would let somebody in who should stay outside.

        Args:
            readable: folders from which tables may be read.

        Raises:
            PlanError: the studio would be reached from elsewhere without users or without encryption, or secrets lie where
                tables are read.
        """
        self.server.check()
        if self.users is None and (self.is_secure or not is_here(self.host)):
            raise PlanError("A studio that others reach must have users.", "add `--users FILE`.")
        if self.header and not self.proxy:
            raise PlanError("Only a proxy tells addresses in a header.", "add `--behind-proxy`, or leave it out.")
        if self.certificate is not None and not self.proxy and self.host in {"0.0.0.0", "::"}:  # noqa: S104  refused
            raise PlanError("With TLS, `--host` must be the name that browsers use.", "say the name or one address.")
        for path in (self.users, self.key):
            if path is not None and any(path.resolve().is_relative_to(folder.resolve()) for folder in readable):
                raise PlanError(
                    "The file {name!r} must lie where no table is read from: anybody could open it as one.",
                    "move it out of the folder of the studio and of every --root.", name=path.name,
                )  # fmt: skip
        self._check_proxy()

    def _check_proxy(self) -> None:
        """Refuse what is no origin."""
        try:
            parts = urlsplit(self.proxy)
            good = parts.scheme == "https" and self.proxy == f"https://{parts.netloc}" == self.proxy.lower()
            good = good and bool(parts.hostname) and "@" not in parts.netloc and parts.port != _HTTPS
        except ValueError:
            good = False
        if self.proxy and not good:
            raise PlanError(
                "`--behind-proxy` must be the origin that browsers show, without a path; got {proxy!r}.",
                "say it as `https://studio.example.org`, in small letters.", proxy=self.proxy,
            )  # fmt: skip

    def origin(self, port: int) -> str:
        """Whence changes come: the proxy's, or this machine's by TLS; "": any of the hosts."""
        if self.proxy:
            return self.proxy
        return f"https://{authority(self.host, port, usual=_HTTPS)}" if self.certificate else ""

    def hosts(self, port: int) -> frozenset[str]:
        """What the Host of a request may be."""
        if self.is_secure:
            return frozenset({urlsplit(self.origin(port)).netloc})
        return frozenset(authority(name, port) for name in (HOME, "localhost", self.host))
