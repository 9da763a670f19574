"""The command `maxpoolgrad`: a file for each of its commands, no logic in them."""
