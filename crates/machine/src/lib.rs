//! What the target machine looks like.
