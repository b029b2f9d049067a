//! Files that are not C, by their names and first bytes.
use std::path::Path;

/// Endings of names, and what such files are.
const ENDINGS: &[(&str, &[&str])] = &[
    (
        "C++",
        &["cc", "cpp", "cxx", "c++", "cp", "C", "ii", "hh", "hpp", "hxx", "h++", "H", "tcc", "ipp"],
    ),
    ("CUDA", &["cu", "cuh"]),
    ("OpenCL", &["cl"]),
    ("Objective-C", &["m", "mi", "M"]),
    ("Objective-C++", &["mm", "mii"]),
    (
        "Fortran",
        &[
            "f", "for", "ftn", "fpp", "f77", "f90", "f95", "f03", "f08", "F", "FOR", "FPP", "F77",
            "F90", "F95", "F03", "F08",
        ],
    ),
    ("assembler", &["s", "S", "sx", "asm", "nasm"]),
    ("an intermediate form of LLVM", &["ll", "bc"]),
    ("an object file", &["o", "obj", "lo", "ko"]),
    ("an archive", &["a", "lib", "tar", "zip"]),
    ("a library", &["so", "dylib", "dll"]),
    ("Ada", &["adb", "ads"]),
    ("D", &["d"]),
    ("Go", &["go"]),
    ("Rust", &["rs"]),
    ("Java", &["java"]),
    ("Python", &["py"]),
];

/// What files of other kinds begin with.
const BEGINNINGS: &[(&str, &[u8])] = &[
    ("an object file or a program", b"\x7fELF"),
    ("an object file or a program", b"\xcf\xfa\xed\xfe"),
    ("an object file or a program", b"\xca\xfe\xba\xbe"),
    ("an archive", b"!<arch>\n"),
    ("an archive", b"!<thin>\n"),
    ("an intermediate form of LLVM", b"BC\xc0\xde"),
    ("a precompiled header", b"gpch"),
    ("text in UTF-32", b"\xff\xfe\0\0"),
    ("text in UTF-32", b"\0\0\xfe\xff"),
    ("text in UTF-16", b"\xff\xfe"),
    ("text in UTF-16", b"\xfe\xff"),
    ("a compressed file", b"\x1f\x8b"),
    ("a compressed file", b"PK\x03\x04"),
    ("a picture", b"\x89PNG"),
    ("a PDF document", b"%PDF-"),
];

/// More than one zero byte in so many tells binary data from text, in which single ones may stray.
const RARE: usize = 4;

/// What a file is, where it is not C: in words behind "it is".
///
/// ```
/// use loopwright_cfront::not_c;
/// assert_eq!(not_c("a/solver.f90".as_ref(), b"program p\nend program\n"), Some("Fortran"));
/// assert_eq!(not_c("a.c".as_ref(), b"\x7fELF\x02\x01"), Some("an object file or a program"));
/// assert_eq!(not_c("a.c".as_ref(), b"int x;\n"), None);
/// ```
pub fn not_c(path: &Path, bytes: &[u8]) -> Option<&'static str> {
    let begins = BEGINNINGS.iter().find(|(_, start)| bytes.starts_with(start));
    if let Some((name, _)) = begins {
        return Some(name);
    }
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    let is_wide = |parity: usize| {
        let half = bytes.iter().skip(parity).step_by(2);
        zeros > 0 && half.clone().count() == half.filter(|byte| **byte == 0).count()
    };
    if bytes.len() > 3 && (is_wide(0) || is_wide(1)) {
        return Some("text in UTF-16");
    }
    if zeros * RARE > bytes.len() {
        return Some("binary data");
    }
    let ending = path.extension()?.to_str()?;
    let of = |endings: &&[&str]| endings.contains(&ending) || endings.contains(&&*lower(ending));
    ENDINGS.iter().find(|(_, endings)| of(endings)).map(|(name, _)| *name)
}

/// An ending in small letters, but for `C`, which is another one than `c`.
fn lower(ending: &str) -> String {
    if ending.len() == 1 { ending.to_string() } else { ending.to_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::not_c;

    #[test]
    fn other_files_are_told_from_c() {
        for (name, bytes, wanted) in [
            ("a.cpp", &b"int x;"[..], Some("C++")),
            ("a.C", b"int x;", Some("C++")),
            ("a.CPP", b"int x;", Some("C++")),
            ("a.m", b"@end", Some("Objective-C")),
            ("a.S", b"nop", Some("assembler")),
            ("a.F90", b"end", Some("Fortran")),
            ("a.c", b"i\0n\0t\0 \0x\0", Some("text in UTF-16")),
            ("a.c", b"\xff\xfei\0n\0", Some("text in UTF-16")),
            ("a.c", b"!<arch>\nx", Some("an archive")),
            ("a.c", b"\x01\0\x02\0\0x", Some("binary data")),
            ("a.c", b"", None),
            ("a.h", b"int x;", None),
            ("a.inc", b"int x;", None),
            ("a", b"int x;", None),
            ("a.c", "\u{feff}int größe;".as_bytes(), None),
        ] {
            assert_eq!(not_c(name.as_ref(), bytes), wanted, "{name} {bytes:?}");
        }
    }
}
