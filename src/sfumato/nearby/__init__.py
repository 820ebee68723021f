"""Services that need not know where anybody is: servers and clients of private retrieval and of friends near each other.

Files: `shelf` (a catalogue of places as files), `friends` (tokens in one SQLite file), `app` (the routes of both servers),
`client` (what a device does), `command` (`sfumato serve places | friends`, `sfumato nearby …`).
"""
