"""How fast the CPU kernel is, beside the memory's speed and other libraries."""
