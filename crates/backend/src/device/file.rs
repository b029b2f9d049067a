//! The file with the kernels and functions of all regions of a program.
use super::language::Language;
use super::region::DeviceRegion;
use std::collections::BTreeSet;

/// What a CUDA file begins with.
const CUDA: &str = include_str!("cuda_start.h");
/// What names of asynchronous copies begin with, which have a header of their own.
const PIPELINE: &str = "__pipeline_";
/// What a file with OpenCL begins with, before and after the source of its kernels.
const OPENCL: &str = include_str!("opencl_start.h");

/// How memory of the device is allocated, in the languages of both fixed texts: as it is, and in its place.
const ALLOCATIONS: [(&str, &str); 2] = [
    ("cudaMalloc((void **) memory, bytes)", "cudaMallocManaged((void **) memory, bytes)"),
    ("CL_MEM_READ_WRITE, bytes", "CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes"),
];

/// Which memory arrays have on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceMemory {
    /// The device's own.
    #[default]
    Own,
    /// Memory that the host has as well: with CUDA *managed* memory, of which there may be more than the device has; with OpenCL
    /// memory that the host can access.
    Unified,
}

/// The text of the file: with CUDA to be compiled by nvcc, with OpenCL by a C compiler.
pub fn device_file(language: Language, memory: DeviceMemory, regions: &[&DeviceRegion]) -> String {
    let text = file_of(language, regions);
    match memory {
        DeviceMemory::Own => text,
        DeviceMemory::Unified => {
            ALLOCATIONS.iter().fold(text, |text, (own, unified)| text.replacen(own, unified, 1))
        }
    }
}

fn file_of(language: Language, regions: &[&DeviceRegion]) -> String {
    match language {
        Language::Cuda => {
            let region = |region: &&DeviceRegion| {
                let (start, end) = &region.macros;
                format!("\n{start}{}{}{end}", region.kernel_text, region.function_text)
            };
            let uses = |word: &str| regions.iter().any(|own| own.kernel_text.contains(word));
            let headers = if uses(PIPELINE) { "#include <cuda_pipeline.h>\n" } else { "" };
            format!(
                "{CUDA}{headers}{}{}",
                functions(regions),
                regions.iter().map(region).collect::<String>()
            )
        }
        Language::OpenCl => opencl_file(regions),
    }
}

/// The functions that kernels call, each once.
fn functions(regions: &[&DeviceRegion]) -> String {
    let all: BTreeSet<&String> = regions.iter().flat_map(|region| &region.functions).collect();
    let before = if all.is_empty() { "" } else { "\n" };
    before.to_string() + &all.iter().map(|text| format!("{text}\n")).collect::<String>()
}

fn opencl_file(regions: &[&DeviceRegion]) -> String {
    let mut source = String::from(
        "#pragma OPENCL FP_CONTRACT OFF\n#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n",
    );
    source.push_str(&functions(regions));
    for DeviceRegion { macros: (start, end), kernel_text, .. } in regions {
        source.push_str(&format!("\n{start}{kernel_text}{end}"));
    }
    let lines: String = source.lines().map(|line| format!("  {},\n", quoted(line))).collect();
    let (before, after) = OPENCL.split_once("/* kernels */\n").unwrap_or((OPENCL, ""));
    let mut text = before.to_string();
    text.push_str(&format!(
        "/* The kernels. */\nstatic const char *lw_source[] = {{\n{lines}}};\n"
    ));
    text.push_str(after);
    for DeviceRegion { macros: (start, end), function_text, .. } in regions {
        text.push_str(&format!("\n{start}{function_text}{end}"));
    }
    text
}

/// A line as a string of C.
fn quoted(line: &str) -> String {
    let escaped = line.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\\n\"")
}
