"""The methods that publish: one file each, which declares all that differs between them; `registry` knows their names."""
