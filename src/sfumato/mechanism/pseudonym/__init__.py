"""Names replaced by pseudonyms, with a key that is kept apart.

Files: `canonical` (when two texts are the same name), `token` (keyed pseudonyms of one length), `keyed` (both by a key;
FF1), `correspondence` (random pseudonyms in an encrypted table), `period` (the week or month of a day), `space` (how many
names there can be), `column` (a column of a plan). Keys are those of `mechanism.secret`.

A pseudonym is personal data still: whoever has the key, or knows other columns, finds the person.
"""
