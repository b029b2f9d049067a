//! The compiler as a library and as a command.
