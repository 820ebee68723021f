"""The parts of a report, each with a template of its name: what is shown, in which words and pictures."""
