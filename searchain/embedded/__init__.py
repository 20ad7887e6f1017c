"""Load what the data packages hold: files checked against their hashes, base weights, and the adapters to them."""
