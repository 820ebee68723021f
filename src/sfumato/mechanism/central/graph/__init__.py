"""Functions of graphs that one edge moves little, so that little noise suffices.

Files: `graph` (what a graph is here), `distance` (edges to a property, exact), `spanning_tree` (least total weight),
`release` (the same with noise).

Source: C. Dwork, F. McSherry, K. Nissim and A. Smith, "Calibrating Noise to Sensitivity", TCC 2006, section 3.
"""
