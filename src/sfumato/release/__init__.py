"""Plan, run, release, judge: the only place where mechanism and engine meet."""
