"""Where a server listens: on this machine alone, or by https, with a certificate of its own or behind a proxy that has one."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Reached:
    """How others than this machine reach a server.

    Args:
        host: address or name to listen on.
        proxied: whether a proxy in front encrypts.
        certificate: of TLS, as PEM; None: no TLS.
        key: of the certificate.
    """

    host: str
    proxied: bool = False
    certificate: Path | None = None
    key: Path | None = None

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by https."""
        return bool(self.proxied or self.certificate)

    def check(self) -> None:
        """Refuse what would travel in clear.

        Raises:
            PlanError: it would be reached from elsewhere without encryption, or half of what TLS needs is given.
        """
        if not is_here(self.host) and not self.is_secure:
            raise PlanError(
                "Whoever reaches a server from elsewhere must do so by https; `--host {host}` would not.",
                "add `--behind-proxy`, or `--tls-cert` and `--tls-key`.", host=self.host,
            )  # fmt: skip
        if (self.certificate is None) != (self.key is None):
            raise PlanError("TLS needs a certificate and its key.", "give both `--tls-cert` and `--tls-key`.")

    def check_certificate(self) -> None:
        """Refuse a certificate that cannot be used, where one is given.

        Raises:
            PlanError: it or its key cannot be read, or they do not belong together.
        """
        if self.certificate is None or self.key is None:
            return
        try:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(self.certificate, self.key, password="")
        except (OSError, ValueError):  # of which an error of TLS is one
            raise PlanError(
                "The certificate and its key must be PEM files that belong together, the key without a password.",
                "correct `--tls-cert` and `--tls-key`.",
            ) from None


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
