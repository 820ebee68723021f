"""The parts of a report, one file each with a template of the same name: what is shown, in which words and pictures."""
