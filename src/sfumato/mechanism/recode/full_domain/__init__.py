"""Full-domain generalization with record suppression: one level for each attribute, everywhere.

Files: `method` (summary in, decision out; the nodes as an array; limits and progress), `exact` (branch and bound over
the whole lattice), `heuristic` (for lattices too large to hold), `judge` (a node, judged: which classes may be published),
`candidate` (what a node loses, which of two is better), `table` (classes at a node, counted from finer ones), `fixed`
(given levels, checked).
"""

from sfumato.mechanism.recode.full_domain.method import FullDomain

__all__ = ["FullDomain"]
