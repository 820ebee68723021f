"""Private core numbers: in how dense a part of the graph each vertex stands, without showing who knows whom."""
