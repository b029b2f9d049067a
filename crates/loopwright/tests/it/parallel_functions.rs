//! Programs of which functions become parallel, and print the same.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};

/// The text of a function of a program.
pub(crate) fn function<'a>(program: &'a str, name: &str) -> &'a str {
    let start = program.find(&format!(" {name}(")).expect(name);
    let end = program[start..].find("\n}\n").map_or(program.len(), |end| start + end);
    &program[start..end]
}

/// Compiles a program without pragmas; functions have so many parallel loops at least, and it prints the
/// same. Gives the result.
pub(crate) fn parallel_and_the_same(name: &str, program: &str, loops: &[(&str, usize)]) -> String {
    let folder = scratch(name);
    let path = folder.join("program.c");
    std::fs::write(&path, program).expect("the folder for tests can be written");
    let mut options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    options.front_end.autodetect = true;
    let code = compile_file(&path, &options).expect("it compiles").code;
    for (name, loops) in loops {
        let text = function(&code, name);
        assert!(text.matches("#pragma omp parallel for").count() >= *loops, "{name}: {text}");
    }
    let before = run_c(program, &folder, "before").expect("the program runs");
    let after = run_c(&code, &folder, "after").expect("the result runs");
    assert_eq!(before, after);
    code
}
