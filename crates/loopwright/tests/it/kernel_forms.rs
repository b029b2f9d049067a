//! The kernels with arrays that are pointers of which nothing is known: all are regions, with what has to be
//! checked.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_testkit::kernel_forms::{Form, in_form};
use std::path::{Path, PathBuf};

fn kernels() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    let entries = std::fs::read_dir(folder).expect("the folder of the kernels is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

#[test]
fn all_kernels_with_pointers_have_regions() {
    let paths = kernels();
    assert_eq!(paths.len(), 30);
    let folder = scratch("kernel_forms");
    std::fs::copy(paths[0].with_file_name("kernels.h"), folder.join("kernels.h")).unwrap();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the kernel can be read");
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for form in [Form::Rows, Form::Flat] {
            let text = in_form(&text, form).unwrap_or_else(|| panic!("{name} has no kernel"));
            let text = format!("#define SYMBOLIC\n#define SMALL\n{text}");
            let file = folder.join(format!("{name}_{form:?}.c"));
            std::fs::write(&file, &text).unwrap();
            let options = CompileOptions { verify: false, ..CompileOptions::new() };
            let compiled = compile_file(&file, &options)
                .unwrap_or_else(|failure| panic!("{name}, {form:?}: {failure}"));
            assert!(compiled.refusals().is_none(), "{name}, {form:?}: {:?}", compiled.refusals());
            assert_eq!(compiled.report.regions.len(), 1, "{name}, {form:?}");
            if matches!(&*name, "gemm" | "atax" | "doitgen" | "lu") {
                let before = run_c(&text, &folder, &format!("{name}_before"));
                let after = run_c(&compiled.code, &folder, &format!("{name}_after"));
                assert_eq!(after.expect("it runs"), before.expect("it runs"), "{name}, {form:?}");
            }
        }
    }
}
