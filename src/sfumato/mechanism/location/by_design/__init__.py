"""Services that need not know where somebody is: what client and server compute, without any network.

Files: `proximity` (friends find out that they are near each other; the server compares what it cannot read), `catalogue`
(points of interest as signed blocks of equal size), `retrieval` (a block is fetched and neither of two servers learns
which).
"""
