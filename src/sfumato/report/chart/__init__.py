"""Pictures as inline SVG text, made by pure functions from labels and numbers.

Files: `svg` (elements, escaping, axes), `bars` (one or two series, horizontal, or upright
as columns for ordered values), `curve` (lines with markers), `lines` (many lines, any axes), `standalone` (a chart as a
file of its own). Colors come from the page's style sheet.
"""
