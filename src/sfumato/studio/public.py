"""Where the studio listens, and by which name browsers reach it: on this machine alone, unless a team is let in from outside."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sfumato.errors import PlanError
from sfumato.frozen import dataclass

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
    def is_secure(self) -> bool:
        """Whether browsers reach the studio by https."""
        return bool(self.proxy or self.certificate)

    def check(self, readable: Sequence[Path]) -> None:
        """Refuse what would let somebody in who should stay outside.

        Args:
            readable: folders from which tables may be read.

        Raises:
            PlanError: the studio would be reached from elsewhere without users or without encryption, or secrets lie where
                tables are read.
        """
        if not is_here(self.host) and not self.is_secure:
            raise PlanError(
                "Whoever reaches the studio from elsewhere must do so by https; `--host {host}` would not.",
                "add `--behind-proxy ORIGIN`, or `--tls-cert` and `--tls-key`.", host=self.host,
            )  # fmt: skip
        if self.users is None and (self.is_secure or not is_here(self.host)):
            raise PlanError("A studio that others reach must have users.", "add `--users FILE`.")
        if (self.certificate is None) != (self.key is None):
            raise PlanError("TLS needs a certificate and its key.", "give both `--tls-cert` and `--tls-key`.")
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


def is_here(host: str) -> bool:
    """Whether an address is reached from this machine alone.

    Example:
        >>> is_here("127.0.0.1"), is_here("::1"), is_here("localhost"), is_here("0.0.0.0"), is_here("studio.example.org")
        (True, True, True, False, False)
        >>> is_here("127.0.0.2"), is_here("10.0.0.1")
        (True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def authority(host: str, port: int, usual: int | None = None) -> str:
    """A host and a port as addresses write them.

    Example:
        >>> authority("::1", 8378), authority("studio.example.org", 443, usual=443)
        ('[::1]:8378', 'studio.example.org')
    """
    name = f"[{host}]" if ":" in host else host.lower()
    return name if port == usual else f"{name}:{port}"


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        PlanError: the port is taken, or the address is none of this machine.
    """
    made = None
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(place)
        made.listen()  # from here on whoever opens the printed address waits for the first answer
    except OSError as error:
        if made is not None:
            made.close()
        raise PlanError(
            "Port {port} of {host} must be free, and an address of this machine; {strerror}.",
            "choose another with --port; 0 takes a free one.",
            port=port,
            host=host,
            strerror=error.strerror,
        ) from None
    return made


def check_certificate(certificate: Path, key: Path) -> None:
    """Refuse a certificate that cannot be used.

    Raises:
        PlanError: it or its key cannot be read, or they do not belong together.
    """
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key, password="")
    except (OSError, ValueError):  # of which an error of TLS is one
        raise PlanError(
            "The certificate and its key must be PEM files that belong together, the key without a password.",
            "correct `--tls-cert` and `--tls-key`.",
        ) from None
