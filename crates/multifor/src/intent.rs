//! What `#pragma multifor` says about a statement.
use crate::code::Scheme;
use crate::error::MultiforError;
use loopwright_cfront::Code;

/// Which threads are to execute what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// One thread executes all bodies.
    #[default]
    One,
    /// A thread for each nest; they meet at the end.
    Sections,
    /// A thread for each nest; they meet at each point of so many outer levels.
    LockStep(usize),
}

/// Which offsets are to be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffsetChoice {
    /// Those that are written.
    #[default]
    Written,
    /// The smallest legal ones.
    Smallest,
    /// The smallest legal ones that are not smaller than those that are written.
    Raised,
}

/// What is wanted of a multifor statement beyond what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    /// How loops are cut, if that is said.
    pub scheme: Option<Scheme>,
    /// Parallelism across bodies.
    pub threads: Threads,
    /// Whether iterations of loops are to be executed by different threads.
    pub parallel: bool,
    /// Whether threads of a team around go on without waiting for each other.
    pub nowait: bool,
    /// Whether innermost loops are unrolled so that bodies of different grains need no conditions on
    /// remainders.
    pub steady: bool,
    /// Whether nests are mapped by the ranks of their iterations.
    pub ranks: bool,
    /// Whether the order of the nests one after the other has to be kept.
    pub check: bool,
    /// The offsets.
    pub offsets: OffsetChoice,
    /// Clauses for directives that make threads.
    pub clauses: Vec<String>,
    /// Clauses for directives that divide loops.
    pub loop_clauses: Vec<String>,
}

impl Intent {
    /// Adds what the words of a pragma say; `byte` is where they begin.
    ///
    /// ```
    /// use loopwright_multifor::{Intent, Threads};
    /// let mut intent = Intent::default();
    /// intent.read(0, "sections parallel num_threads(2)").unwrap();
    /// assert_eq!(intent.threads, Threads::Sections);
    /// assert!(intent.parallel && intent.clauses == ["num_threads(2)"]);
    /// ```
    ///
    /// # Errors
    /// Words that mean nothing, and such that contradict each other.
    pub fn read(&mut self, byte: usize, words: &str) -> Result<(), MultiforError> {
        let mut rest = words.trim();
        while !rest.is_empty() {
            let name_length =
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (name, after) = rest.split_at(name_length);
            let after = after.trim_start();
            let argument =
                after.strip_prefix('(').and_then(|after| Some(&after[..after.find(')')?]));
            rest = match argument {
                Some(argument) => after[argument.len() + 2..].trim_start(),
                None => after,
            };
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            let understood = self.word(name, argument.map(str::trim));
            let unclear = || {
                let message = format!("`{name}` means nothing in `#pragma multifor`");
                MultiforError::new(Code::Syntax, byte, message)
                    .because("docs/multifor.md has the list of what it may say")
            };
            understood.ok_or_else(unclear)?;
        }
        self.check(byte)
    }

    fn word(&mut self, name: &str, argument: Option<&str>) -> Option<()> {
        match (name, argument) {
            ("guards", None) => self.scheme = Some(Scheme::Guards),
            ("separated", None) => self.scheme = Some(Scheme::Separated),
            ("sections", None) => self.threads = Threads::Sections,
            ("lockstep", None) => self.threads = Threads::LockStep(1),
            ("lockstep", Some(levels)) => {
                let levels = levels.parse().ok().filter(|levels| *levels >= 1)?;
                self.threads = Threads::LockStep(levels);
            }
            ("parallel", None) => self.parallel = true,
            ("steady", None) => self.steady = true,
            ("nowait", None) => self.nowait = true,
            ("ranks", None) => self.ranks = true,
            ("check", Some("loops")) => self.check = true,
            ("offsets", Some("smallest")) => self.offsets = OffsetChoice::Smallest,
            ("offsets", Some("raised")) => self.offsets = OffsetChoice::Raised,
            ("num_threads", Some(argument)) => {
                self.clauses.push(format!("num_threads({argument})"))
            }
            ("schedule", Some(argument)) => self.loop_clauses.push(format!("schedule({argument})")),
            _ => return None,
        }
        Some(())
    }

    fn check(&self, byte: usize) -> Result<(), MultiforError> {
        let refuse = |message: &str| Err(MultiforError::new(Code::Syntax, byte, message));
        let is_lock_step = matches!(self.threads, Threads::LockStep(_));
        if self.nowait && (self.threads != Threads::Sections || self.parallel) {
            return refuse("`nowait` of `#pragma multifor` goes with `sections` alone");
        }
        if self.parallel && is_lock_step {
            return refuse("`lockstep` and `parallel` of `#pragma multifor` exclude each other");
        }
        if self.ranks && self.threads != Threads::One {
            return refuse("`ranks` of `#pragma multifor` goes with `parallel` only");
        }
        if self.ranks && (self.offsets != OffsetChoice::Written || self.check) {
            return refuse("`ranks` of `#pragma multifor` excludes `offsets` and `check`");
        }
        Ok(())
    }
}
