//! Measured values, kept in a file so that kernels can be measured one after the other.
use crate::contestant::{Compiler, Contestant};
use crate::peers;
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the milliseconds that our compilation takes.
pub(crate) const COMPILE_MS: &str = "compile-ms";

/// The name of whether all is proved: 1, or 0.
pub(crate) const PROVED: &str = "proved";

/// The name of the number of runs that medians are of.
pub(crate) const RUNS: &str = "runs";

/// All values by kernel and size, then by name: the key of a contestant (seconds), [`COMPILE_MS`],
/// [`PROVED`] or [`RUNS`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measurements {
    rows: BTreeMap<(String, String), BTreeMap<String, f64>>,
}

impl Measurements {
    /// Reads lines of kernel, size, name and value; a file that is not there has none.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(|e| format!("{}: {e}", path.display())),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Measurements::default()),
            Err(e) => Err(format!("cannot read {}: {e}", path.display())),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut all = Measurements::default();
        for (index, line) in text.lines().enumerate() {
            let error = || format!("line {}: expected kernel, size, name, value", index + 1);
            let [kernel, size, name, value] =
                line.split('\t').collect::<Vec<_>>().try_into().map_err(|_| error())?;
            all.set(kernel, size, name, value.parse().map_err(|_| error())?);
        }
        Ok(all)
    }

    /// The text that [`Measurements::read`] reads.
    pub(crate) fn text(&self) -> String {
        let lines = self.rows.iter().flat_map(|((kernel, size), values)| {
            values.iter().map(move |(name, value)| format!("{kernel}\t{size}\t{name}\t{value}\n"))
        });
        lines.collect()
    }

    /// Sets one value.
    pub(crate) fn set(&mut self, kernel: &str, size: &str, name: &str, value: f64) {
        let row = self.rows.entry((kernel.to_string(), size.to_string())).or_default();
        row.insert(name.to_string(), value);
    }

    /// Forgets what was measured for a kernel.
    pub(crate) fn forget(&mut self, kernel: &str, size: &str) {
        self.rows.remove(&(kernel.to_string(), size.to_string()));
    }

    /// The values of a kernel at a size.
    pub(crate) fn of(&self, kernel: &str, size: &str) -> Option<&BTreeMap<String, f64>> {
        self.rows.get(&(kernel.to_string(), size.to_string()))
    }

    /// All kernels that have a value: those of the collection first, in its order.
    pub(crate) fn kernels(&self) -> Vec<&str> {
        let mut kernels: Vec<&str> = self.rows.keys().map(|(kernel, _)| kernel.as_str()).collect();
        kernels.dedup();
        let rank = |kernel: &str| peers::kernels().position(|known| known == kernel);
        kernels.sort_by_key(|kernel| rank(kernel).unwrap_or(usize::MAX));
        kernels
    }

    /// All contestants that have a value, in the order of columns.
    pub(crate) fn contestants(&self) -> Vec<Contestant> {
        let keys = self.rows.values().flat_map(|values| values.keys());
        let mut found: Vec<Contestant> = keys.filter_map(|key| contestant(key)).collect();
        found.sort_by_key(|&contestant| rank(contestant));
        found.dedup();
        found
    }
}

/// The contestant with a key.
fn contestant(key: &str) -> Option<Contestant> {
    let compiler = |name: &str| match name {
        "gcc" => Some(Compiler::Gcc),
        "clang" => Some(Compiler::Clang),
        _ => None,
    };
    let parts: Vec<&str> = key.split('-').collect();
    match parts.as_slice() {
        [name] => compiler(name).map(Contestant::Plain),
        ["polly", n] => n.parse().ok().map(Contestant::Polly),
        ["pluto", name, n] => Some(Contestant::Pluto(compiler(name)?, n.parse().ok()?)),
        ["ours", name, n] => Some(Contestant::Ours(compiler(name)?, n.parse().ok()?)),
        ["tuned", n] => n.parse().ok().map(Contestant::Tuned),
        _ => None,
    }
}

fn rank(contestant: Contestant) -> (usize, usize) {
    let kind = match contestant {
        Contestant::Plain(Compiler::Gcc) => 0,
        Contestant::Plain(Compiler::Clang) => 1,
        Contestant::Polly(_) => 2,
        Contestant::Pluto(Compiler::Gcc, _) => 3,
        Contestant::Pluto(Compiler::Clang, _) => 4,
        Contestant::Ours(Compiler::Gcc, _) => 5,
        Contestant::Ours(Compiler::Clang, _) => 6,
        Contestant::Tuned(_) => 7,
    };
    (kind, contestant.threads())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_read_back() {
        let mut all = Measurements::default();
        for (name, value) in [("ours-clang-2", 0.25), ("gcc", 1.0), (PROVED, 1.0), ("tuned-2", 0.2)]
        {
            all.set("gemm", "LARGE", name, value);
        }
        assert_eq!(Measurements::parse(&all.text()), Ok(all.clone()));
        let keys: Vec<String> = all.contestants().iter().map(|c| c.key()).collect();
        assert_eq!(keys, ["gcc", "ours-clang-2", "tuned-2"]);
        assert!(Measurements::parse("gemm\tLARGE\tgcc\n").is_err());
        assert!(Measurements::parse("gemm\tLARGE\tgcc\tfast\n").is_err());
    }
}
