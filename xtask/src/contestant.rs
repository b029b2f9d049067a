//! Whose programs are timed.
use std::fmt;

/// A C compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Compiler {
    Gcc,
    Clang,
}

/// Someone whose programs are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Contestant {
    /// The original with a plain compiler.
    Plain(Compiler),
    /// Polly in clang, with this many threads.
    Polly(usize),
    /// Pluto's output, with this many threads.
    Pluto(Compiler, usize),
    /// Ours.
    Ours(Compiler, usize),
    /// Ours with the choices that `tune` found, compiled with gcc.
    Tuned(usize),
}

impl Contestant {
    /// The number of threads it runs with.
    pub(crate) fn threads(self) -> usize {
        match self {
            Contestant::Plain(_) => 1,
            Contestant::Polly(n)
            | Contestant::Pluto(_, n)
            | Contestant::Ours(_, n)
            | Contestant::Tuned(n) => n,
        }
    }

    /// Whether it is another compiler than ours.
    pub(crate) fn is_peer(self) -> bool {
        !matches!(self, Contestant::Ours(..) | Contestant::Tuned(_))
    }

    /// The name in files of measurements.
    pub(crate) fn key(self) -> String {
        match self {
            Contestant::Plain(compiler) => compiler.to_string(),
            Contestant::Polly(n) => format!("polly-{n}"),
            Contestant::Pluto(compiler, n) => format!("pluto-{compiler}-{n}"),
            Contestant::Ours(compiler, n) => format!("ours-{compiler}-{n}"),
            Contestant::Tuned(n) => format!("tuned-{n}"),
        }
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", if *self == Compiler::Gcc { "gcc" } else { "clang" })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Plain(compiler) => write!(f, "{compiler} -O3"),
            Contestant::Polly(n) => write!(f, "Polly, {n}"),
            Contestant::Pluto(compiler, n) => write!(f, "Pluto, {compiler}, {n}"),
            Contestant::Ours(compiler, n) => write!(f, "ours, {compiler}, {n}"),
            Contestant::Tuned(n) => write!(f, "tuned, gcc, {n}"),
        }
    }
}
