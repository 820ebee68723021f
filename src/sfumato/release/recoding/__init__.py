"""Releases whose rows are recoded: counted once, decided by a mechanism, written, read again and measured."""
