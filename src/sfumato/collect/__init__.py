"""The server that receives randomized reports and keeps what it needs to estimate: counts."""
