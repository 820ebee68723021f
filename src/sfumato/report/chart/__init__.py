"""Pictures as inline SVG text, made by pure functions from labels and numbers.

Files: `svg` (elements, escaping, axes), `bars` (horizontal, one or two series), `columns` (upright,
for ordered values), `curve` (lines with markers). Colors come from the page's style sheet.
"""
