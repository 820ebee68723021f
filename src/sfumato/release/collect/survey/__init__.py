"""Surveys on people's own phones: the document becomes a collection that devices answer and a server counts.

Files: `mechanisms` (a question's randomizer by its name), `checks` (what a document must say), `survey` (the collection),
`people` (answers of a table, played by simulated phones), `estimates` (what counts tell), `design` (mechanisms chosen).
"""
