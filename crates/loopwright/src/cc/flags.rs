//! What the flags of a compiler's command line are about.

/// What a flag is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// How text is preprocessed.
    Preprocessing,
    /// Files that say what an object depends on.
    Dependencies,
    /// Where the result goes.
    Output,
    /// The language of the inputs behind.
    Language,
    /// Not to link.
    CompileOnly,
    /// Messages.
    Warnings,
    /// The version of C.
    Standard,
    /// Linking.
    Linking,
    /// Optimization and all else that both preprocessing and compilation see.
    Other,
}

/// Flags whose value may be the next word, with what they are about.
const WITH_VALUES: &[(&str, Kind)] = &[
    ("-o", Kind::Output),
    ("-x", Kind::Language),
    ("-D", Kind::Preprocessing),
    ("-U", Kind::Preprocessing),
    ("-I", Kind::Preprocessing),
    ("-include", Kind::Preprocessing),
    ("-imacros", Kind::Preprocessing),
    ("-isystem", Kind::Preprocessing),
    ("-iquote", Kind::Preprocessing),
    ("-idirafter", Kind::Preprocessing),
    ("-iprefix", Kind::Preprocessing),
    ("-iwithprefix", Kind::Preprocessing),
    ("-iwithprefixbefore", Kind::Preprocessing),
    ("-isysroot", Kind::Other),
    ("--sysroot", Kind::Other),
    ("-A", Kind::Preprocessing),
    ("-MF", Kind::Dependencies),
    ("-MT", Kind::Dependencies),
    ("-MQ", Kind::Dependencies),
    ("-MJ", Kind::Dependencies),
    ("-L", Kind::Linking),
    ("-l", Kind::Linking),
    ("-T", Kind::Linking),
    ("-u", Kind::Linking),
    ("-z", Kind::Linking),
    ("-e", Kind::Linking),
    ("-Xlinker", Kind::Linking),
    ("-framework", Kind::Linking),
    ("-B", Kind::Other),
    ("--param", Kind::Other),
    ("-target", Kind::Other),
    ("-mllvm", Kind::Other),
    ("-G", Kind::Other),
];

/// Flags that are one word, by how they begin.
const BEGINNINGS: &[(&str, Kind)] = &[
    ("-std=", Kind::Standard),
    ("-MD", Kind::Dependencies),
    ("-MMD", Kind::Dependencies),
    ("-MP", Kind::Dependencies),
    ("-MG", Kind::Dependencies),
    ("-Wl,", Kind::Linking),
    ("-nostdinc", Kind::Preprocessing),
    ("-W", Kind::Warnings),
    ("-pedantic", Kind::Warnings),
    ("-fdiagnostics", Kind::Warnings),
    ("-fmax-errors", Kind::Warnings),
    ("-static-lib", Kind::Linking),
    ("-rdynamic", Kind::Linking),
    ("-nostdlib", Kind::Linking),
    ("-nodefaultlibs", Kind::Linking),
    ("-nostartfiles", Kind::Linking),
];

/// A flag with its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) kind: Kind,
    /// Whether the next word is its value.
    pub(super) takes_next: bool,
}

/// What a flag is.
pub(super) fn flag(word: &str) -> Flag {
    let one_word = |kind| Flag { kind, takes_next: false };
    match word {
        "-c" => return one_word(Kind::CompileOnly),
        "-ansi" => return one_word(Kind::Standard),
        "-w" => return one_word(Kind::Warnings),
        "-shared" | "-static" | "-pie" | "-no-pie" | "-s" => return one_word(Kind::Linking),
        _ => {}
    }
    if let Some((_, kind)) = WITH_VALUES.iter().find(|(name, _)| *name == word) {
        return Flag { kind: *kind, takes_next: true };
    }
    if let Some((_, kind)) = BEGINNINGS.iter().find(|(start, _)| word.starts_with(start)) {
        return one_word(*kind);
    }
    // Letters whose value may be in the same word; longer names come first in the table of those with values.
    let joined = WITH_VALUES.iter().filter(|(name, _)| name.len() == 2 && word.starts_with(name));
    let joined = joined.map(|(_, kind)| *kind).next();
    let longer = ["-include", "-imacros", "-isystem", "-iquote", "-idirafter"];
    match longer.iter().any(|name| word.starts_with(name)) {
        true => one_word(Kind::Preprocessing),
        // `-e` and the like are the beginnings of other flags.
        false if word.starts_with("-t") || word.starts_with("-e") || word.starts_with("-G") => {
            one_word(Kind::Other)
        }
        false => one_word(joined.unwrap_or(Kind::Other)),
    }
}

/// Flags with which nothing is transformed, by how they begin, and why.
const UNUSUAL: &[(&str, &str)] = &[
    ("-E", "it only preprocesses"),
    ("-S", "it makes assembly"),
    ("-M", "it lists dependencies"),
    ("-fsyntax-only", "it only checks"),
    ("-save-temps", "it keeps intermediate files"),
    ("--save-temps", "it keeps intermediate files"),
    ("-fsanitize", "a sanitizer is to see the program as it is written"),
    ("-fprofile", "profiles are about the program as it is written"),
    ("-fbranch-probabilities", "profiles are about the program as it is written"),
    ("-ftest-coverage", "coverage is about the program as it is written"),
    ("-coverage", "coverage is about the program as it is written"),
    ("--coverage", "coverage is about the program as it is written"),
    ("-fcoverage", "coverage is about the program as it is written"),
    ("-finstrument", "functions are instrumented"),
    ("-fwrapv", "signed arithmetic may wrap around"),
    ("-ftrapv", "signed arithmetic may trap"),
    ("-fno-strict-overflow", "signed arithmetic may wrap around"),
    ("-fno-strict-aliasing", "types do not tell objects apart"),
    ("-fno-builtin", "functions of the library may be others"),
    ("-ffreestanding", "functions of the library may be others"),
    ("-frounding-math", "the rounding mode may change"),
    ("-ftrapping-math", "floating point operations may trap"),
    ("-fnon-call-exceptions", "operations may leave a loop"),
    ("-funsigned-char", "the type `char` is another one"),
    ("-fshort-enums", "enumerations are other types"),
    ("-fpack-struct", "structures are laid out in another way"),
    ("-fopenacc", "it uses OpenACC"),
    ("-fopenmp-simd", "it uses a part of OpenMP"),
    ("-fplugin", "a plugin may see the program"),
    ("-fdirectives-only", "it preprocesses in another way"),
    ("-fpreprocessed", "the text is preprocessed"),
    ("-traditional", "it preprocesses in another way"),
    ("-no-integrated-cpp", "it preprocesses in another way"),
    ("-gsplit-dwarf", "it makes more than an object"),
    ("-fdump", "it shows what the compiler does"),
    ("-fstack-usage", "it shows what the compiler does"),
    ("-fcallgraph-info", "it shows what the compiler does"),
    ("-fsave-optimization-record", "it shows what the compiler does"),
    ("-fanalyzer", "it only checks"),
    ("-emit-llvm", "it makes no object"),
    ("-Xclang", "it speaks to a part of the compiler"),
    ("-Xpreprocessor", "it speaks to a part of the compiler"),
    ("-Xassembler", "it speaks to a part of the compiler"),
    ("-Wa,", "it speaks to a part of the compiler"),
    ("-Wp,", "it speaks to a part of the compiler"),
    ("-specs", "it changes the compiler"),
    ("--specs", "it changes the compiler"),
    ("-wrapper", "it changes the compiler"),
    ("-aux-info", "it makes more than an object"),
    ("-dump", "it shows what the compiler does"),
    ("-print", "it shows what the compiler does"),
    ("--print", "it shows what the compiler does"),
    ("--help", "it shows help"),
    ("--version", "it shows the version"),
    ("--target-help", "it shows help"),
    ("-###", "it shows what the compiler does"),
    ("-m32", "it is for another machine"),
    ("-mx32", "it is for another machine"),
    ("-m16", "it is for another machine"),
    ("-arch", "it may be for several machines"),
];

/// Words with which nothing is transformed, and why.
const UNUSUAL_WORDS: &[(&str, &str)] = &[
    ("-v", "it shows what the compiler does"),
    ("-V", "it shows the version"),
    ("-C", "it keeps comments"),
    ("-CC", "it keeps comments"),
    ("-P", "it leaves out line markers"),
    ("-r", "it makes a part of an object"),
    ("-fallow-store-data-races", "it allows races"),
];

/// Why nothing is transformed with a flag.
pub(super) fn unusual(word: &str) -> Option<&'static str> {
    let usual =
        ["-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ", "-MJ", "-fno-sanitize", "-Mno-modules"];
    if usual.iter().any(|usual| word.starts_with(usual)) {
        return None;
    }
    let is_dump = word.starts_with("-d") && !word.starts_with("-dyn");
    let by_word = UNUSUAL_WORDS.iter().find(|(name, _)| *name == word);
    let found = by_word.or_else(|| UNUSUAL.iter().find(|(start, _)| word.starts_with(start)));
    found.map(|(_, why)| *why).or(is_dump.then_some("it shows what the compiler does"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_have_their_kinds() {
        for (word, kind, takes_next) in [
            ("-o", Kind::Output, true),
            ("-ofile", Kind::Output, false),
            ("-DX=1", Kind::Preprocessing, false),
            ("-isystem", Kind::Preprocessing, true),
            ("-isystem/usr/x", Kind::Preprocessing, false),
            ("-lm", Kind::Linking, false),
            ("-O2", Kind::Other, false),
            ("-MMD", Kind::Dependencies, false),
            ("-MF", Kind::Dependencies, true),
            ("-Wall", Kind::Warnings, false),
            ("-Wl,-rpath,x", Kind::Linking, false),
            ("-std=c99", Kind::Standard, false),
            ("-march=native", Kind::Other, false),
            ("-fPIC", Kind::Other, false),
            ("-xc", Kind::Language, false),
            ("-c", Kind::CompileOnly, false),
            ("-g", Kind::Other, false),
        ] {
            assert_eq!(flag(word), Flag { kind, takes_next }, "{word}");
        }
    }

    #[test]
    fn unusual_flags_are_known() {
        for word in ["-E", "-M", "-MM", "-fsanitize=address", "-m32", "-dM", "-v", "-fwrapv"] {
            assert!(unusual(word).is_some(), "{word}");
        }
        for word in ["-MD", "-MMD", "-O2", "-Wall", "-fopenmp", "-pipe", "-g", "-fno-common"] {
            assert_eq!(unusual(word), None, "{word}");
        }
    }
}
