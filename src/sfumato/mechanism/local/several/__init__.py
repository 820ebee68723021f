"""Several attributes of one person under local differential privacy.

Files: `scheme` (the joint, support counts), `epsilon` (what a scheme promises, and to which neighbors;
calibration), `independent` and `spl` (split the budget), `every_attribute` (report all, each at full epsilon), `smp`
(sample one attribute), `faked` and `rs_fd` (sample one, fake the others), `rs_rfd` (fakes that follow a prior),
`adaptive` (the oracle with the least variance), `tuple_wire` (how reports travel), `catalog` (schemes by name),
`recommend` (schemes at equal true epsilon), `simulate` (support counts of a table without persons).
"""
