"""Other languages than English, in which Sfumato is written: sentences, numbers and errors for whoever reads them.

Files: `catalogue` (reads `fr/*.po`: one entry for each English sentence), `sentence` (finds the template of a sentence that
was filled in), `words` (all of one language, with its numbers), `told` (an error in a language),
`marked` (names of keys as HTML).

English is the key of everything: a sentence without a translation is shown in English.
"""
