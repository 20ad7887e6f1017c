"""Load what set-up took out of packages: files checked against their hashes, base weights, and the adapters to them."""
