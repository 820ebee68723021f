"""Releases of traces: what a plan with [traces] says, how the table is read, protected, written, read again and measured.

Files: `plan` (from the document to a plan), `reading` (the table as traces, and what was wrong with it), `protections`
(what can be done to fixes), `rows` (what is released of protected traces), `measures` (worth and risks), `run` (the stages).
"""
