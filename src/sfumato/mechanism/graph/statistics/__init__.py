"""Private numbers of a graph: degrees, edges, triangles, stars, clustering, assortativity, edges between groups."""
