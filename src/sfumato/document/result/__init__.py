"""The documents that Sfumato writes, as frozen classes: every key, its kind and its meaning.

Files: `release` (of a run), `judged` (risk and comparison of any table), `attack` (of one release, and of several),
`sweep`, `answers`, `collected` (of collections and noised tables), `made` (drafts, copies, pseudonyms …); `keys` (what a class
says of its keys) and `codec` (plain data, JSON, and back).
"""
