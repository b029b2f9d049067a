//! Targets whose result is two files, and options that are about them.
use super::arguments::Given;
use super::without_effect::{own_name, text};

/// Options about devices.
const OF_DEVICES: [&str; 21] = [
    "device",
    "device-always",
    "embed-kernels",
    "max-shared-memory",
    "no-asynchronous-copies",
    "no-atomic-updates",
    "no-device-registers",
    "no-double-buffers",
    "no-persistent-kernels",
    "no-shared-memory",
    "no-short-subscripts",
    "no-shuffles",
    "no-streaming",
    "no-time-tiles",
    "no-vector-loads",
    "overlap-copies",
    "pinned-memory",
    "tensor-cores",
    "thread-results",
    "unified-memory",
    "sizes of kernels",
];

/// Those about what OpenCL C 1.2 does not have.
const OF_CUDA: [&str; 3] = ["no-asynchronous-copies", "no-shuffles", "tensor-cores"];

/// Commands that print what would become of a region, and write nothing.
const ONLY_TOLD: [&str; 1] = ["explain"];

/// Why a command cannot have kernels, which are in a file beside the code; or an option about devices where
/// there is none.
pub(super) fn why_not(command: &str, given: &[Given]) -> Option<String> {
    let is_device = |option: &&Given| {
        let value = option.value.as_deref();
        option.name == "target" && value.is_some_and(|value| ["cuda", "opencl"].contains(&value))
    };
    let device = given.iter().find(is_device);
    // A file of choices may say what the target of a region is.
    let may_have_device = device.is_some() || given.iter().any(|option| option.name == "choices");
    let is_embedded = given.iter().any(|option| option.name == "embed-kernels");
    let is_opencl = device.is_some_and(|option| option.value.as_deref() == Some("opencl"));
    if let Some(option) = device.filter(|_| is_embedded && !is_opencl) {
        let text = text(option);
        return Some(format!(
            "--embed-kernels has no effect with {text}: CUDA has a compiler of its own"
        ));
    }
    if let Some(option) = device.filter(|_| is_opencl)
        && given.iter().any(|option| option.name == "pinned-memory")
    {
        let text = text(option);
        return Some(format!(
            "--pinned-memory has no effect with {text}: OpenCL does not keep memory of programs in its pages"
        ));
    }
    let of_cuda = |option: &&Given| OF_CUDA.contains(&&*option.name);
    if let Some(device) = device.filter(|_| is_opencl)
        && let Some(option) = given.iter().find(of_cuda)
    {
        let (option, device) = (text(option), text(device));
        return Some(format!("{option} has no effect with {device}: OpenCL has no such thing"));
    }
    // So may it say whether sums run in any order.
    let is_rounding =
        |option: &&Given| option.name == "tensor-cores" && option.value.as_deref() == Some("tf32");
    let may_be_in_any_order =
        given.iter().any(|option| ["choices", "reassociate"].contains(&&*option.name));
    if let Some(option) = given.iter().find(is_rounding).filter(|_| !may_be_in_any_order) {
        let text = text(option);
        return Some(format!(
            "{text} needs --reassociate: products of matrices are added up in another order"
        ));
    }
    // Searches write the second file of CUDA as well.
    let is_one_file = command == "tune" && (is_embedded || !is_opencl);
    let has_second_file =
        |_: &&Given| command != "compile" && !ONLY_TOLD.contains(&command) && !is_one_file;
    if let Some(option) = device.filter(has_second_file) {
        let instead =
            if is_opencl && command == "tune" { ", unless there is --embed-kernels" } else { "" };
        return Some(format!(
            "{} makes a second file: only `loopwright compile` writes it{instead}",
            text(option)
        ));
    }
    let about_devices = |option: &&Given| OF_DEVICES.contains(&own_name(option));
    let option =
        given.iter().find(about_devices).filter(|_| !may_have_device && command != "machine")?;
    Some(format!("{} has no effect: it goes with --target cuda or opencl", text(option)))
}
