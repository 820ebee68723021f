"""How near a published graph is to the original: degrees, cores, triangles, paths and parts."""
