"""Several attributes of one person under local differential privacy.

Files: `scheme` (the joint, support counts), `epsilon` (what a scheme promises, and to which neighbors;
calibration), `protocol` (which oracle for which attribute), `spl` (split the budget), `smp` (sample one
attribute), `rs_fd` (sample one, fake the others), `rs_rfd` (fakes that follow a prior), `adaptive` (the oracle with the
least variance), `every_attribute` (report all, each at full epsilon), `recommend` (schemes at equal true
epsilon), `simulate` (support counts of a table without persons), `reproduce` (the papers' experiment).
"""
