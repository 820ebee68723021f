"""Full-domain generalization with record suppression: one level for each attribute, everywhere.

Files: `method` (`FullDomain`: summary in, decision out), `exact` (branch and bound over the whole
lattice), `heuristic` (for lattices too large to hold), `candidate` (what a node loses, which of two is
better), `judge` (which classes may be published), `table` (classes at a node, counted from finer
ones), `lattice` (the nodes as an array), `watch` (limits and progress), `fixed` (given levels, checked).
"""

from sfumato.mechanism.recode.full_domain.method import FullDomain

__all__ = ["FullDomain"]
