//! Random single faults in the text of kernels, launches and copies: bounds, subscripts, indices of blocks
//! and threads, conditions and statements that are missing, sizes, places and arguments. Reading the text
//! back refutes them, or proves that the text is still right.
use crate::mutations::{Random, is_in_brackets, numbers, replaced};
use loopwright::{CompileOptions, Compiled, DeviceOptions, Emit, compile_file};
use loopwright_backend::device::Language;
use loopwright_machine::DescribedDevice;
use loopwright_testkit::cases::seed;
use loopwright_transform::{TileSizes, Tiling};
use loopwright_verify::Proof;
use std::path::Path;

/// Programs, with the folders that they are in and the shape of tiles that is asked for.
const PROGRAMS: [&str; 25] = [
    "devices/stencil in overlapped tiles",
    "devices/stencil in hexagonal tiles",
    "devices/window with copies beside kernels",
    "devices/elimination",
    "devices/borders",
    "devices/rows",
    "devices/tiles",
    "devices/product",
    "devices/stencil",
    "devices/triangle",
    "devices/window",
    "devices/linear",
    "devices/member",
    "devices/members_of_rows",
    "devices/sparse",
    "devices/flags with copies beside kernels",
    "devices/star",
    "devices/cube",
    "devices/linear_product",
    "devices/chosen",
    "devices/own_arrays",
    "devices/vectors",
    "kernels/gemver",
    "kernels/jacobi-2d",
    "kernels/cholesky",
];

/// Programs whose updates may run in any order.
const REASSOCIATED: [&str; 3] = ["devices/dot", "devices/row_sums", "devices/prefixes"];

/// Faults in each text.
const FAULTS: usize = 16;

/// A line, and what it is instead.
struct Fault {
    kind: &'static str,
    line: usize,
    faulty: String,
}

/// What stands for another in a fault, if it stands alone.
const SWAPPED: [(&str, &str, &str); 24] = [
    ("width", "for (int ", "for (short "),
    ("width", "const int c", "const short c"),
    ("lanes", "0xffffffff", "0x0000ffff"),
    ("lanes", "__shfl_down_sync", "__shfl_up_sync"),
    ("lanes", "_other = __shfl", "_own = __shfl"),
    ("vector", ", 16);", ", 8);"),
    ("vector", "lw_vector.x;", "lw_vector.y;"),
    ("vector", "*) &A[", "*) &A[1 + "),
    ("vector", "__align__(16) ", ""),
    ("vector", "__attribute__((aligned(16))) ", ""),
    ("matrix", "][0], C_result[", "][1], C_result["),
    ("matrix", "], B_tile[", "], A_tile["),
    ("matrix", ", A_tile[", ", -A_tile["),
    ("matrix", " % 8]);", "]);"),
    ("keeping", "  const double ", "  double "),
    ("keeping", "_value = ", "_value += "),
    ("index", "blockIdx.x", "threadIdx.x"),
    ("index", "threadIdx.x", "blockIdx.x"),
    ("index", "threadIdx.y", "threadIdx.x"),
    ("index", "get_group_id(0)", "get_local_id(0)"),
    ("index", "get_local_id(0)", "get_local_id(1)"),
    ("count", "gridDim.x", "blockDim.x"),
    ("count", "get_num_groups(0)", "1"),
    ("first", " == 0)", " >= 0)"),
];

/// Programs whose copies into shared memory are asynchronous, besides: in CUDA, for a device that has them.
const ASYNCHRONOUS: [&str; 4] =
    ["devices/product", "devices/tiles", "devices/star", "devices/vectors"];

/// Programs whose sums are products of matrices by warps, besides: in CUDA, for a device that has them.
const MATRICES: [&str; 1] = ["devices/matrices"];

/// Statements of a barrier, and of waits in front of it.
const OF_BARRIERS: [&str; 4] =
    ["__syncthreads();", "__pipeline_commit();", "__pipeline_wait_prior(0);", "barrier(CLK"];

fn faults(text: &str) -> Vec<Fault> {
    let is_overlapped = text.contains("lw_await_copies");
    let mut found = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let trimmed = content.trim_start();
        if trimmed.starts_with("/*")
            || trimmed.contains("lw_blocks(")
            || trimmed.contains("NDRange")
        {
            continue;
        }
        let mut add = |kind, faulty| found.push(Fault { kind, line, faulty });
        let is_loop = trimmed.starts_with("for (") || trimmed.starts_with("if (");
        for (at, length) in numbers(content) {
            let more = content[at..at + length].parse::<i64>().map(|n| (n + 1).to_string());
            let Ok(more) = more else { continue };
            let kind = match trimmed {
                _ if content.contains("LW_FITS") => "width",
                _ if content.contains("lw_copy") => "copy",
                _ if content.contains("_bytes = ") => "memory",
                _ if content.contains("lw_block[3]") || content.contains("dim3 lw_block") => "size",
                _ if is_loop
                    || trimmed.starts_with("const int")
                    || trimmed.starts_with("const long") =>
                {
                    "bound"
                }
                _ if is_in_brackets(content, at) => "subscript",
                _ => continue,
            };
            add(kind, replaced(content, at, length, &more));
        }
        for (kind, own, other) in SWAPPED {
            if let Some(at) = content.find(own) {
                add(kind, replaced(content, at, own.len(), other));
            }
        }
        for (at, _) in content.match_indices('<').filter(|_| is_loop) {
            let is_equal = content[at + 1..].starts_with('=');
            let (length, by) = if is_equal { (2, "<") } else { (1, "<=") };
            add("comparison", replaced(content, at, length, by));
        }
        if trimmed.starts_with("lw_matrix_") {
            add("matrix", String::new());
            add("matrix", format!("{trimmed} {trimmed}"));
        }
        if OF_BARRIERS.iter().any(|own| trimmed.starts_with(own)) {
            add("barrier", String::new());
        }
        if let Some((start, rest)) = trimmed.split_once("__shfl_down_sync(") {
            let distance = rest.rsplit_once(", ").and_then(|(_, end)| end.strip_suffix(");"));
            let distance: u32 = distance.and_then(|own| own.parse().ok()).unwrap_or_default();
            for other in [distance / 2, 2 * distance, distance + 1] {
                let faulty = content.replace(&format!(", {distance});"), &format!(", {other});"));
                add("distance", faulty);
            }
            add("lanes", format!("if (threadIdx.x % 32 < {distance}) {trimmed}"));
            add("lanes", format!("if (threadIdx.x <= 15) {{ {trimmed} }}"));
            let plain = rest.split(", ").nth(1).unwrap_or_default();
            add("lanes", format!("{start}{plain};"));
            add("dropped", String::new());
        }
        if let Some(at) = content.find("wait_prior(0)") {
            add("wait", replaced(content, at, 13, "wait_prior(1)"));
        }
        if trimmed.starts_with("if (") && trimmed.ends_with('{') {
            add("condition", "{".to_string());
        }
        if trimmed == "lw_grid_barrier();" || trimmed == "__syncthreads();" {
            add("barrier", String::new());
            add("barrier", format!("if (blockIdx.x == 0) {{ {trimmed} }}"));
        }
        if let Some((_, rest)) = content.split_once("lw_launch_together(4, ") {
            let alone = rest.replace(", lw_grid, lw_block, ", "<<<lw_grid, lw_block>>>(");
            add("launch", alone.replace("));", "); LW_TRY(cudaGetLastError());"));
        }
        if is_overlapped && trimmed.contains("_await_") {
            add("wait", String::new());
        }
        for (own, other) in [("LW_TRY", "LW_MUST"), ("LW_MUST", "LW_TRY")] {
            if is_overlapped && trimmed.starts_with(own) {
                add("attempt", content.replacen(own, other, 1));
            }
        }
        let is_access = trimmed.ends_with("];") || trimmed.ends_with("_value;");
        if trimmed.starts_with("LW_FITS") {
            add("width", String::new());
        }
        if is_access || trimmed.contains("lw_copy") || trimmed.contains("lw_allocate") {
            add("dropped", String::new());
        }
        for (at, _) in content.match_indices("_device, ") {
            if content.contains(">>>") {
                add("argument", replaced(content, at, 9, ", "));
            }
        }
    }
    found
}

/// Faults of all kinds in turn.
fn chosen(text: &str, random: &mut Random) -> Vec<Fault> {
    let mut all = faults(text);
    let mut kinds: Vec<&str> = all.iter().map(|fault| fault.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut chosen = Vec::new();
    let mut turn = 0;
    while chosen.len() < FAULTS && !all.is_empty() {
        let kind = kinds[turn % kinds.len()];
        let places: Vec<usize> = (0..all.len()).filter(|at| all[*at].kind == kind).collect();
        if !places.is_empty() {
            chosen.push(all.swap_remove(places[random.below(places.len())]));
        }
        turn += 1;
    }
    chosen
}

fn compiled(program: &str, language: Language, device: &str) -> Compiled {
    let (program, copies) = program.split_once(" with ").unwrap_or((program, ""));
    let (program, shape) = program.split_once(" in ").unwrap_or((program, ""));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(format!("{program}.c"));
    let device = DescribedDevice::named(device).expect("a device").device;
    let overlap_copies = !copies.is_empty();
    let devices =
        DeviceOptions { always: true, device, overlap_copies, ..DeviceOptions::default() };
    let mut options = CompileOptions { device: Some(language), devices, ..CompileOptions::new() };
    // So that there are kernels to stand beside.
    options.persistent_kernels = !overlap_copies;
    options.reassociate = REASSOCIATED.contains(&program) || MATRICES.contains(&program);
    (options.tiling, options.tile_sizes) = match shape {
        "overlapped tiles" => (Some(Tiling::Overlapped), TileSizes::Given(vec![2, 8, 16])),
        "hexagonal tiles" => (Some(Tiling::Hexagonal), TileSizes::Given(vec![4, 8, 16])),
        _ => (None, TileSizes::Default),
    };
    options.front_end.defines = vec!["SMALL".to_string(), "SYMBOLIC".to_string()];
    compile_file(&source, &options).expect("it compiles")
}

#[test]
fn faults_in_cuda_are_refuted_or_harmless() {
    let programs = PROGRAMS.into_iter().chain(REASSOCIATED);
    are_refuted_or_harmless(programs.map(|name| (name, Language::Cuda, "generic")));
}

#[test]
fn faults_in_opencl_are_refuted_or_harmless() {
    let programs = PROGRAMS.into_iter().chain(REASSOCIATED);
    are_refuted_or_harmless(programs.map(|name| (name, Language::OpenCl, "generic")));
}

#[test]
fn faults_in_cuda_for_later_devices_are_refuted_or_harmless() {
    let programs = ASYNCHRONOUS.into_iter().chain(MATRICES);
    are_refuted_or_harmless(programs.map(|name| (name, Language::Cuda, "hopper")));
}

/// Plants faults in the text for each program.
fn are_refuted_or_harmless(programs: impl Iterator<Item = (&'static str, Language, &'static str)>) {
    let mut random = Random(seed(34));
    let (mut planted, mut harmless) = (0, Vec::new());
    let all: Vec<_> = programs.collect();
    for &(name, language, device) in &all {
        let compiled = compiled(name, language, device);
        let text = compiled.emit_region(0, Emit::Code).expect("there is code");
        let read = compiled.check_text(0, &text).expect("no operation fails");
        assert_eq!((&read.proof, &read.not_read[..]), (&Some(Proof::Proved), &[][..]), "{name}");
        let chosen = chosen(&text, &mut random);
        assert_eq!(chosen.len(), FAULTS, "{name}:\n{text}");
        for fault in &chosen {
            planted += 1;
            let line = |(at, content): (usize, &str)| match at == fault.line {
                true => format!("{}\n", fault.faulty),
                false => format!("{content}\n"),
            };
            let faulty: String = text.lines().enumerate().map(line).collect();
            let read = compiled.check_text(0, &faulty).expect("no operation fails");
            match read.proof {
                Some(Proof::Refuted(_)) => {}
                Some(Proof::Proved) if read.not_read.is_empty() => {
                    harmless.push(format!("{name}, {}: {}", fault.kind, fault.faulty.trim()));
                }
                other => panic!(
                    "{name}, {}, line {}: {}\n{other:?}, {:?}\n{text}",
                    fault.kind,
                    fault.line + 1,
                    fault.faulty,
                    read.not_read
                ),
            }
        }
    }
    assert_eq!(planted, all.len() * FAULTS);
    println!("{} of {planted} are refuted; harmless: {harmless:#?}", planted - harmless.len());
    assert!(harmless.len() <= planted / 10, "{harmless:#?}");
}
