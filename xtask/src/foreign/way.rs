//! The ways in which a program is built.
use std::path::Path;
use std::process::{Command, Stdio};

/// A way to build a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// With the plain compiler.
    Plain,
    /// With the plain compiler behind the wrapper.
    Ours,
    /// With clang.
    Clang,
    /// With clang and Polly.
    Polly,
    /// With clang and Polly's parallel code.
    PollyParallel,
}

impl Way {
    pub(super) const ALL: [Way; 5] =
        [Way::Plain, Way::Ours, Way::Clang, Way::Polly, Way::PollyParallel];

    /// The name in options, files and tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Plain => "plain",
            Way::Ours => "ours",
            Way::Clang => "clang",
            Way::Polly => "polly",
            Way::PollyParallel => "polly-parallel",
        }
    }

    /// The way with a name.
    pub(super) fn parse(name: &str) -> Result<Way, String> {
        let known = Way::ALL.into_iter().find(|way| way.name() == name);
        let names = Way::ALL.map(Way::name).join(", ");
        known.ok_or_else(|| format!("there is no column `{name}`: columns are {names}"))
    }
}

/// The programs that build, and those that look at what was built.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    /// The plain compiler.
    pub(super) compiler: String,
    pub(super) clang: String,
    /// The command that is measured.
    pub(super) loopwright: String,
}

impl Tools {
    /// The first words of a command that compiles in a way.
    pub(super) fn compiler(&self, way: Way) -> Vec<String> {
        let words: &[&str] = match way {
            Way::Plain => &[&self.compiler],
            Way::Ours => &[&self.loopwright, "cc", &self.compiler],
            Way::Clang => &[&self.clang],
            Way::Polly => &[&self.clang, "-mllvm", "-polly"],
            Way::PollyParallel => &[&self.clang, "-mllvm", "-polly", "-mllvm", "-polly-parallel"],
        };
        words.iter().map(ToString::to_string).collect()
    }

    /// What a way needs at the end of the linker's command line.
    pub(super) fn libraries(way: Way) -> &'static [&'static str] {
        if way == Way::PollyParallel { &["-lgomp"] } else { &[] }
    }

    /// The ways of a list for which there are the programs; what is left out is said.
    pub(super) fn available(&self, wanted: &[Way]) -> Vec<Way> {
        let runs = |way: &Way| {
            let words = self.compiler(*way);
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).args(["-x", "c", "-c", "/dev/null", "-o", "/dev/null"]);
            let runs = command.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
            if !runs {
                eprintln!("left out: `{}` cannot compile here", words.join(" "));
            }
            runs
        };
        wanted.iter().copied().filter(runs).collect()
    }

    /// The compilers in words.
    pub(super) fn versions(&self) -> String {
        let version = |command: &str, flag: &str| {
            let output = Command::new(command).arg(flag).output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Some(text.lines().next()?.trim().to_string())
        };
        let name = Path::new(&self.compiler).file_name().unwrap_or_default().to_string_lossy();
        let plain = version(&self.compiler, "-dumpfullversion").unwrap_or_default();
        let clang = version(&self.clang, "-dumpversion");
        let clang = clang.map_or(String::new(), |version| format!(", clang {version}"));
        format!("{name} {plain}{clang}")
    }
}
