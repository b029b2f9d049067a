//! The file with the kernels and functions of all regions of a program.
use super::fixed_text::{DeviceMemory, start};
use super::language::Language;
use super::overlap::CopyOptions;
use super::region::DeviceRegion;
use std::collections::BTreeSet;

/// What names of asynchronous copies begin with, which have a header of their own.
const PIPELINE: &str = "__pipeline_";

/// The text of the file: with CUDA to be compiled by nvcc, with OpenCL by a C compiler.
pub fn device_file(
    language: Language,
    (memory, copies): (DeviceMemory, CopyOptions),
    regions: &[&DeviceRegion],
) -> String {
    file_of(language, &start(language, memory, copies), regions)
}

fn file_of(language: Language, start: &str, regions: &[&DeviceRegion]) -> String {
    match language {
        Language::Cuda => {
            let region = |region: &&DeviceRegion| {
                let (start, end) = &region.macros;
                format!("\n{start}{}{}{end}", region.kernel_text, region.function_text)
            };
            let uses = |word: &str| regions.iter().any(|own| own.kernel_text.contains(word));
            let headers = if uses(PIPELINE) { "#include <cuda_pipeline.h>\n" } else { "" };
            format!(
                "{start}{headers}{}{}",
                functions(regions),
                regions.iter().map(region).collect::<String>()
            )
        }
        Language::OpenCl => opencl_file(start, regions),
    }
}

/// The functions that kernels call, each once.
fn functions(regions: &[&DeviceRegion]) -> String {
    let all: BTreeSet<&String> = regions.iter().flat_map(|region| &region.functions).collect();
    let before = if all.is_empty() { "" } else { "\n" };
    before.to_string() + &all.iter().map(|text| format!("{text}\n")).collect::<String>()
}

fn opencl_file(start: &str, regions: &[&DeviceRegion]) -> String {
    let mut source = String::from(
        "#pragma OPENCL FP_CONTRACT OFF\n#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n",
    );
    source.push_str(&functions(regions));
    for DeviceRegion { macros: (start, end), kernel_text, .. } in regions {
        source.push_str(&format!("\n{start}{kernel_text}{end}"));
    }
    let lines: String = source.lines().map(|line| format!("  {},\n", quoted(line))).collect();
    let (before, after) = start.split_once("/* kernels */\n").unwrap_or((start, ""));
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
