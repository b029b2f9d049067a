//! Test helpers: random generators, brute-force enumeration, interpreters.
