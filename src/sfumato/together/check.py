"""The checks that a holder makes, by name."""

from __future__ import annotations

from enum import Enum


class Check(Enum):
    """What is checked."""

    FORM = "form of messages"
    PLAN = "same plan"
    ORDER = "order of phases"
    ORIGIN = "origin"
    CARDS = "certified holders"
    ONCE = "each once"
    MEMBERSHIP = "membership"
    ROOT = "one root"
    ECHO = "same root for all"
    ASSIGNED = "assignments fixed"
    LABELS = "labels are true"
    SIZE = "size of classes"
    AGREED = "same classes left out"
    RELEASED = "rows as sent"
