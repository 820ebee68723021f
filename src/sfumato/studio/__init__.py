"""The studio: a folder of projects in a browser. It shows documents, runs them through the front door, and shows results.

Files: `command` the command, `public` where it listens, `app` the routes, `ways` the right that each needs, `roles` who has
which, `gate` who may come in, `team` the same for a team, `login` its first page, `users` its file, `shelf`
the projects of a folder, `plan_file` a plan that is read and saved, `fields` forms from descriptions, `jobs` work in child
processes, `child` such a process, `look` what is kept of a table, `render` pages as HTML, `words` its sentences in two
languages; `pages/` one file a page.
"""
