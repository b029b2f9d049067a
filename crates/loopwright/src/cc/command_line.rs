//! What a compiler's command line asks for.
use crate::cc::flags::{Kind, flag, unusual};
use crate::cc::response_file::expanded;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Programs that run a compiler, in front of it.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "buildcache"];

/// A part of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A C source.
    Source(PathBuf),
    /// Another input.
    Input(OsString),
    /// A flag with all of its words.
    Flag { kind: Kind, words: Vec<OsString> },
}

/// A command line that compiles C with optimization, or links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// The compiler with the programs in front of it.
    pub(super) compiler: Vec<OsString>,
    /// All that follows, with the arguments of response files in place.
    pub(super) parts: Vec<Part>,
}

/// The number of words that are the compiler: programs that run it, and itself.
pub(super) fn compiler_length(words: &[OsString]) -> usize {
    let is_launcher = |word: &&OsString| {
        let name = Path::new(word).file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| LAUNCHERS.contains(&name))
    };
    (words.iter().take_while(is_launcher).count() + 1).min(words.len())
}

impl CommandLine {
    /// Reads a command line.
    ///
    /// # Errors
    /// Why nothing is transformed: it is not understood, or asks for something else.
    pub(super) fn read(words: &[OsString]) -> Result<CommandLine, String> {
        let line = CommandLine::parsed(words)?;
        let first = |(_, words): (Kind, &[OsString])| {
            let text = words.first()?.to_str()?;
            unusual(text).map(|why| format!("{text}: {why}"))
        };
        if let Some(why) = line.flags().find_map(first) {
            return Err(why);
        }
        let has_sources = line.sources().next().is_some();
        match has_sources {
            true => line.optimizing(),
            false => Ok(line),
        }
    }

    /// The parts of a command line, whatever it asks for.
    ///
    /// # Errors
    /// Why it is not understood.
    pub(super) fn parsed(words: &[OsString]) -> Result<CommandLine, String> {
        let (compiler, arguments) = words.split_at(compiler_length(words));
        let name = compiler.last().and_then(|word| Path::new(word).file_name()?.to_str());
        match name {
            None => return Err("the compiler has no name".to_string()),
            Some(name) if name.contains("++") => return Err(format!("{name} compiles C++")),
            Some(_) => {}
        }
        let mut parts = Vec::new();
        let mut language: Option<String> = None;
        let mut rest = expanded(arguments).into_iter();
        while let Some(word) = rest.next() {
            let text = word.to_str().ok_or("a word of the command line is no text")?.to_string();
            if text == "-" {
                return Err("the source is the standard input".to_string());
            }
            if !text.starts_with('-') {
                parts.push(input(&text, language.as_deref())?);
                continue;
            }
            let flag = flag(&text);
            let mut words = vec![word];
            if flag.takes_next {
                words.push(rest.next().ok_or_else(|| format!("{text} has no value"))?);
            }
            if flag.kind == Kind::Language {
                let name = words.last().and_then(|word| word.to_str()).unwrap_or("");
                let name = name.strip_prefix("-x").unwrap_or(name).to_string();
                language = Some(name).filter(|name| name != "none");
            }
            parts.push(Part::Flag { kind: flag.kind, words });
        }
        Ok(CommandLine { compiler: compiler.to_vec(), parts })
    }

    /// The command line, if it asks for optimization.
    fn optimizing(self) -> Result<Self, String> {
        let level =
            self.flags().filter_map(|(_, words)| words.first()?.to_str()?.strip_prefix("-O"));
        let has =
            |name: &str| self.flags().any(|(_, words)| words.first().is_some_and(|w| w == name));
        match level.last() {
            None | Some("0") => Err("it does not optimize".to_string()),
            Some("s" | "z") => Err("it optimizes for size".to_string()),
            Some("g") => Err("it optimizes for debugging".to_string()),
            Some("" | "1") if !has("-fstrict-aliasing") => {
                Err("types do not tell objects apart without -O2".to_string())
            }
            Some(_) => Ok(self),
        }
    }

    /// The sources.
    pub(super) fn sources(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().filter_map(|part| match part {
            Part::Source(path) => Some(path.as_path()),
            _ => None,
        })
    }

    /// The flags.
    pub(super) fn flags(&self) -> impl Iterator<Item = (Kind, &[OsString])> {
        self.parts.iter().filter_map(|part| match part {
            Part::Flag { kind, words } => Some((*kind, &words[..])),
            _ => None,
        })
    }

    /// Whether there is a flag of a kind.
    fn has(&self, wanted: Kind) -> bool {
        self.flags().any(|(kind, _)| kind == wanted)
    }

    /// Whether it links.
    pub(super) fn links(&self) -> bool {
        !self.has(Kind::CompileOnly)
    }

    /// The words of the flags of some kinds.
    pub(super) fn words(&self, is_wanted: impl Fn(Kind) -> bool) -> Vec<OsString> {
        let wanted = self.flags().filter(|(kind, _)| is_wanted(*kind));
        wanted.flat_map(|(_, words)| words.to_vec()).collect()
    }

    /// The version of C that its flags name.
    pub(super) fn standard(&self) -> Option<String> {
        let flags = self.flags().filter(|(kind, _)| *kind == Kind::Standard);
        flags.filter_map(|(_, words)| words.first()?.to_str()).last().map(|word| {
            word.strip_prefix("-std=").unwrap_or(word.trim_start_matches('-')).to_string()
        })
    }

    /// Where the object of a source, or the program, goes.
    pub(super) fn output(&self, source: &Path) -> PathBuf {
        let outputs = self.flags().filter(|(kind, _)| *kind == Kind::Output);
        let value = |(_, words): (Kind, &[OsString])| -> Option<OsString> {
            match words {
                [_, value] => Some(value.clone()),
                [joined] => Some(joined.to_str()?.strip_prefix("-o")?.into()),
                _ => None,
            }
        };
        match outputs.filter_map(value).last() {
            Some(path) => PathBuf::from(path),
            None if self.links() => PathBuf::from("a.out"),
            None => {
                let name = source.file_name().map(PathBuf::from).unwrap_or_default();
                name.with_extension("o")
            }
        }
    }

    /// The compiler itself, without programs in front of it.
    pub(super) fn own_compiler(&self) -> &OsStr {
        self.compiler.last().map_or(OsStr::new("cc"), OsString::as_os_str)
    }
}

/// An input of a language.
fn input(name: &str, language: Option<&str>) -> Result<Part, String> {
    let extension = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or("");
    match (language, extension) {
        (Some("c"), _) | (None, "c") => Ok(Part::Source(name.into())),
        (Some(other), _) => Err(format!("{name} is in the language {other}")),
        (None, "o" | "a" | "so" | "obj" | "lo" | "la" | "lib" | "dylib" | "ld" | "lds") => {
            Ok(Part::Input(name.into()))
        }
        (None, _) if name.contains(".so.") => Ok(Part::Input(name.into())),
        (None, other) if other.chars().all(|c| c.is_ascii_digit()) && !other.is_empty() => {
            Ok(Part::Input(name.into()))
        }
        (None, _) => Err(format!("{name} is not C")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<CommandLine, String> {
        CommandLine::read(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn compilations_are_understood() {
        let line = read("ccache gcc -O2 -Wall -DX=1 -I inc -c a.c -MMD -MF a.d -oout/a.o").unwrap();
        assert_eq!(line.compiler, ["ccache", "gcc"]);
        assert_eq!(line.sources().collect::<Vec<_>>(), [Path::new("a.c")]);
        assert_eq!(line.output(Path::new("a.c")), Path::new("out/a.o"));
        assert_eq!(line.words(|kind| kind == Kind::Preprocessing), ["-DX=1", "-I", "inc"]);
        assert!(!line.links());
        let line = read("gcc -O3 -x c a.txt -x none b.c x.o -lm").unwrap();
        assert_eq!(line.sources().count(), 2);
        assert!(line.links());
        assert_eq!(
            read("cc -O2 -c dir/a.c").unwrap().output(Path::new("dir/a.c")),
            Path::new("a.o")
        );
        assert!(read("gcc x.o libz.so.1.2 -o x").is_ok());
    }

    #[test]
    fn values_may_be_words_of_their_own() {
        let line = "gcc -O2 -D X -U Y -isystem sys -iquote q -include pre.h -I inc -MD -MF out/a.d -MT t -x c \
            -o out/a.o -c a.c";
        let line = read(line).unwrap();
        assert_eq!(line.sources().collect::<Vec<_>>(), [Path::new("a.c")]);
        assert_eq!(line.output(Path::new("a.c")), Path::new("out/a.o"));
        let words = "-D X -U Y -isystem sys -iquote q -include pre.h -I inc";
        assert_eq!(
            line.words(|kind| kind == Kind::Preprocessing),
            words.split(' ').collect::<Vec<_>>()
        );
        let spaces = ["gcc", "-O1", "-O3", "-c", "a folder/a.c", "-o", "a folder/a.o"];
        let line = CommandLine::read(&spaces.map(OsString::from)).unwrap();
        assert_eq!(line.sources().collect::<Vec<_>>(), [Path::new("a folder/a.c")]);
        for flags in ["-flto", "-pg", "-march=native", "-std=gnu89", "-ansi"] {
            assert!(read(&format!("gcc -O2 {flags} -c a.c")).is_ok(), "{flags}");
        }
    }

    #[test]
    fn other_command_lines_say_why_not() {
        for (line, why) in [
            ("gcc -c a.c", "it does not optimize"),
            ("gcc -O2 -O0 -c a.c", "it does not optimize"),
            ("gcc -Os -c a.c", "it optimizes for size"),
            ("gcc -Og -c a.c", "it optimizes for debugging"),
            ("gcc -O2 -O1 -c a.c", "types do not tell objects apart without -O2"),
            ("gcc -O2 -m32 -c a.c", "-m32: it is for another machine"),
            ("gcc -O2 -funsigned-char -c a.c", "-funsigned-char: the type `char` is another one"),
            ("gcc -O2 -E -P -", "the source is the standard input"),
            ("gcc -O2 -E a.c", "-E: it only preprocesses"),
            ("g++ -O2 -c a.c", "g++ compiles C++"),
            ("gcc -O2 -c a.cpp", "a.cpp is not C"),
            ("gcc -O2 -x c++ -c a.c", "a.c is in the language c++"),
            ("gcc -O2 -xc -", "the source is the standard input"),
            ("gcc -O2 -c a.c -o", "-o has no value"),
        ] {
            assert_eq!(read(line).unwrap_err(), why, "{line}");
        }
    }
}
