"""The studio: a folder of projects in a browser. It shows documents, runs them through the front door, and shows results.

Files: `command` the command, `app` the routes, `gate` who may come in, `shelf` the projects of a folder, `plan_file` a plan
that is read and saved, `fields` forms from descriptions, `jobs` work in child processes, `child` such a process, `look` what
is kept of a table, `render` pages as HTML, `words` its sentences in two languages; `pages/` one file a page.
"""
