"""Sfumato: publish tables about persons, with the promise, the price, the worth and the attack measured."""

__version__ = "0.1.0"
