"""Guards: what a play needs is tested before it is on offer. What no guard can test is told here."""
