//! All kernels in `kernels/`, compiled with several choices, print what the original programs print.
//!
//! Each kernel is compiled with the standard choices in both forms of array parameters, and with a
//! few other choices that rotate over the kernels, such that each choice is used. With
//! `LOOPWRIGHT_ALL` in the environment every kernel is compiled with every choice. The results must
//! be the same bit by bit, with one, two and five threads, and all proofs must hold.
use loopwright::{CompileOptions, Fusion, Scheduler, compile_file};
use loopwright_scheduler::Fuse;
use loopwright_transform::TileSizes;
use loopwright_verify::Proof;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The thread counts that the results are computed with.
const THREADS: [&str; 3] = ["1", "2", "5"];

/// How many of the other choices each kernel is compiled with.
const ROTATING: usize = 3;

/// How the kernel gets the extents of its arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Fixed,
    Symbolic,
}

impl Form {
    const ALL: [Form; 2] = [Form::Fixed, Form::Symbolic];

    fn defines(self) -> Vec<String> {
        match self {
            Form::Fixed => vec!["MINI".to_string()],
            Form::Symbolic => vec!["MINI".to_string(), "SYMBOLIC".to_string()],
        }
    }
}

/// The choices of one compilation.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    form: Form,
    tiles: TileSizes,
    fuse: Fusion,
    scheduler: Scheduler,
}

impl Choice {
    fn standard(form: Form) -> Self {
        Choice { form, tiles: TileSizes::Default, fuse: Fusion::Model, scheduler: Scheduler::Pluto }
    }

    /// All choices other than the standard ones. Tiles and fusion mean nothing for the program's own
    /// order. Sizes of 64 and more leave tile loops with a single value.
    fn others() -> Vec<Self> {
        let all_tiles = [
            TileSizes::Default,
            TileSizes::Given(vec![7]),
            TileSizes::Given(vec![1]),
            TileSizes::Given(vec![64]),
            TileSizes::Given(vec![5, 1000]),
            TileSizes::None,
        ];
        let mut choices = Vec::new();
        for tiles in all_tiles {
            for fuse in [Fuse::Smart, Fuse::Min, Fuse::Max].map(Fusion::Rule) {
                for scheduler in [Scheduler::Pluto, Scheduler::Feautrier] {
                    for form in Form::ALL {
                        let (tiles, scheduler) = (tiles.clone(), scheduler.clone());
                        choices.push(Choice { form, tiles, fuse, scheduler });
                    }
                }
            }
        }
        for form in Form::ALL {
            choices.push(Choice { scheduler: Scheduler::None, ..Choice::standard(form) });
            choices.retain(|choice| *choice != Choice::standard(form));
        }
        choices
    }

    /// The choices for the kernel at a position of the list.
    fn for_kernel(position: usize) -> Vec<Self> {
        let standard = Form::ALL.map(Choice::standard);
        let others = Choice::others();
        let rest = match std::env::var_os("LOOPWRIGHT_ALL") {
            Some(_) => others,
            None => {
                let positions = ROTATING * position..ROTATING * (position + 1);
                positions.map(|i| others[i % others.len()].clone()).collect()
            }
        };
        standard.into_iter().chain(rest).collect()
    }

    fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::new();
        options.front_end.defines = self.form.defines();
        options.tile_sizes = self.tiles.clone();
        options.fuse = self.fuse;
        options.scheduler = self.scheduler.clone();
        options.always_rewrite = true;
        options
    }
}

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels")
}

/// A C program with the flags that make results comparable. That a variable "may" be used before it
/// is set is a guess of gcc, which is wrong when the two are in different loops.
fn build(source: &Path, form: Form, flags: &[&str], program: &Path) -> Result<(), String> {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let output = Command::new(cc)
        .args(["-O2", "-Wall", "-Werror", "-Wno-error=maybe-uninitialized"])
        .arg("-ffp-contract=off")
        .args(flags)
        .args(form.defines().iter().map(|define| format!("-D{define}")))
        .arg("-I")
        .arg(kernels())
        .arg(source)
        .arg("-o")
        .arg(program)
        .arg("-lm")
        .output()
        .map_err(|e| format!("cannot run the C compiler: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("cc: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// What a program prints.
fn run(program: &Path, threads: &str) -> Result<Vec<u8>, String> {
    let output = Command::new(program)
        .env("OMP_NUM_THREADS", threads)
        .env("OMP_DYNAMIC", "false")
        .env("OMP_WAIT_POLICY", "passive")
        .output()
        .map_err(|e| format!("cannot run the program: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("the program fails: {}", output.status)),
    }
}

/// Compiles a kernel to C, whose report must say that all is proved.
fn transform(source: &Path, choice: &Choice) -> Result<String, String> {
    let compiled = compile_file(source, &choice.options()).map_err(|e| e.to_string())?;
    for region in &compiled.report.regions {
        let n_proved = region.proofs.iter().filter(|(_, proof)| *proof == Proof::Proved).count();
        let surprising = |note: &&String| note.contains("rejected") || note.contains("limit");
        let all_proved = n_proved >= 3 && n_proved == region.proofs.len();
        if !all_proved || region.notes.iter().any(|note| surprising(&note)) {
            return Err(region.to_string());
        }
    }
    Ok(compiled.code)
}

/// Compares the compiled program with the original's output.
fn check(source: &Path, choice: &Choice, expected: &[u8], stem: &Path) -> Result<(), String> {
    let code = transform(source, choice)?;
    let (text, program) = (stem.with_extension("c"), stem.with_extension("exe"));
    std::fs::write(&text, code).map_err(|e| e.to_string())?;
    build(&text, choice.form, &["-fopenmp"], &program)?;
    for threads in THREADS {
        if run(&program, threads)? != expected {
            return Err(format!("other results with {threads} threads"));
        }
    }
    let _ = std::fs::remove_file(&program);
    Ok(())
}

#[track_caller]
fn check_kernel(name: &str) {
    let position = KERNELS.iter().position(|kernel| *kernel == name).expect("it is in the list");
    let source = kernels().join(format!("{name}.c"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels").join(name);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    let expected = Form::ALL.map(|form| {
        let program = folder.join(format!("original-{form:?}"));
        let built = build(&source, form, &["-Wno-unknown-pragmas"], &program);
        built.and_then(|()| run(&program, "1")).expect("the original runs")
    });
    assert_eq!(expected[0], expected[1], "both forms compute the same");
    let mut failures = String::new();
    for (i, choice) in Choice::for_kernel(position).iter().enumerate() {
        let stem = folder.join(format!("compiled-{i}"));
        if let Err(reason) = check(&source, choice, &expected[0], &stem) {
            failures += &format!("\n{name} with {choice:?}: {reason}\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

macro_rules! kernels {
    ($($test:ident $name:literal)*) => {
        const KERNELS: &[&str] = &[$($name),*];
        $(
            #[test]
            fn $test() {
                check_kernel($name);
            }
        )*
    };
}

kernels! {
    two_products "2mm"
    three_products "3mm"
    adi "adi"
    atax "atax"
    bicg "bicg"
    cholesky "cholesky"
    correlation "correlation"
    covariance "covariance"
    deriche "deriche"
    doitgen "doitgen"
    durbin "durbin"
    fdtd_2d "fdtd-2d"
    floyd_warshall "floyd-warshall"
    gemm "gemm"
    gemver "gemver"
    gesummv "gesummv"
    gramschmidt "gramschmidt"
    heat_3d "heat-3d"
    jacobi_1d "jacobi-1d"
    jacobi_2d "jacobi-2d"
    lu "lu"
    ludcmp "ludcmp"
    mvt "mvt"
    nussinov "nussinov"
    seidel_2d "seidel-2d"
    symm "symm"
    syr2k "syr2k"
    syrk "syrk"
    trisolv "trisolv"
    trmm "trmm"
}

#[test]
fn every_kernel_is_in_the_list() {
    let files = std::fs::read_dir(kernels()).expect("the kernels are here");
    let n_files = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .count();
    assert_eq!(n_files, KERNELS.len());
    assert!(ROTATING * KERNELS.len() >= Choice::others().len(), "every choice is used");
}
