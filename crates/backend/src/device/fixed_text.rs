//! What files with kernels begin with: fixed texts, of which options about memory and copies change some
//! lines.
use super::language::Language;
use super::overlap::CopyOptions;

/// What a CUDA file begins with.
const CUDA: &str = include_str!("cuda_start.h");
/// What a file with OpenCL begins with, before and after the source of its kernels.
const OPENCL: &str = include_str!("opencl_start.h");
/// Streams for copies, and waits between them and kernels.
const CUDA_OVERLAP: &str = include_str!("cuda_overlap.h");
const OPENCL_OVERLAP: &str = include_str!("opencl_overlap.h");
/// Pages that stay in memory.
const CUDA_PINS: &str = include_str!("cuda_pins.h");

/// Which memory arrays have on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceMemory {
    /// The device's own.
    #[default]
    Own,
    /// Memory that the host has as well: with CUDA *managed* memory, of which there may be more than the
    /// device has; with OpenCL memory that the host can access.
    Unified,
}

/// What stands in a text, and what in its place.
type Change = (&'static str, &'static str);

/// How memory of the device is allocated: as it is, and in its place.
fn allocation(language: Language) -> Change {
    match language {
        Language::Cuda => {
            ("cudaMalloc((void **) memory, bytes)", "cudaMallocManaged((void **) memory, bytes)")
        }
        Language::OpenCl => {
            ("CL_MEM_READ_WRITE, bytes", "CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes")
        }
    }
}

/// Copies that wait until they are made, and those that stand in a stream.
const CUDA_COPIES: [Change; 5] = [
    (
        "return cudaMemcpy(to, from, width * height, kind);",
        "return cudaMemcpyAsync(to, from, width * height, kind, lw_stream(kind));",
    ),
    (
        "return cudaMemcpy2D(to, pitch, from, pitch, width, height, kind);",
        "return cudaMemcpy2DAsync(to, pitch, from, pitch, width, height, kind, lw_stream(kind));",
    ),
    ("return cudaMemcpy3D(&copy);", "return cudaMemcpy3DAsync(&copy, lw_stream(kind));"),
    (
        "return cudaMemcpy2D((char *) device + on_device, pitch, (const char *) host + on_host, stride, width, height, cudaMemcpyHostToDevice);",
        "return cudaMemcpy2DAsync((char *) device + on_device, pitch, (const char *) host + on_host, stride, width, height, cudaMemcpyHostToDevice, lw_arriving);",
    ),
    (
        "return cudaMemcpy2D((char *) host + on_host, stride, (const char *) device + on_device, pitch, width, height, cudaMemcpyDeviceToHost);",
        "return cudaMemcpy2DAsync((char *) host + on_host, stride, (const char *) device + on_device, pitch, width, height, cudaMemcpyDeviceToHost, lw_leaving);",
    ),
];

/// The same with queues, and what makes these.
const OPENCL_COPIES: [Change; 7] = [
    (
        "static cl_command_queue lw_queue;\n",
        "static cl_command_queue lw_queue, lw_arriving, lw_leaving; /* of kernels, of copies to the device, of copies back */\n",
    ),
    (
        "  lw_program = clCreateProgramWithSource(",
        "  lw_arriving = clCreateCommandQueue(lw_context, device, 0, &error);\n  if (error != CL_SUCCESS)\n    return error;\n  \
         lw_leaving = clCreateCommandQueue(lw_context, device, 0, &error);\n  if (error != CL_SUCCESS)\n    return error;\n  \
         lw_program = clCreateProgramWithSource(",
    ),
    (
        "    error = clEnqueueWriteBufferRect(lw_queue, device,",
        "    error = clEnqueueWriteBufferRect(lw_arriving, device,",
    ),
    (
        "    error = clEnqueueReadBufferRect(lw_queue, device,",
        "    error = clEnqueueReadBufferRect(lw_leaving, device,",
    ),
    ("  return error == CL_SUCCESS ? clFinish(lw_queue) : error;\n", "  return error;\n"),
    (
        "  return clEnqueueWriteBuffer(lw_queue, device, CL_TRUE,",
        "  return clEnqueueWriteBuffer(lw_arriving, device, CL_FALSE,",
    ),
    (
        "  return clEnqueueReadBuffer(lw_queue, device, CL_TRUE,",
        "  return clEnqueueReadBuffer(lw_leaving, device, CL_FALSE,",
    ),
];

/// Where further functions of CUDA stand, and what begins the work there.
const CUDA_BEGIN: &str = "static cudaError_t lw_start(void)\n{\n  return cudaGetLastError();\n}\n";

/// In front of the first function of OpenCL that is further.
const OPENCL_COPY: &str = "/* A box: slices of rows of bytes.";

/// The start of a file; with OpenCL there is a place for its kernels.
pub(super) fn start(language: Language, memory: DeviceMemory, copies: CopyOptions) -> String {
    let CopyOptions { overlapped, pinned } = copies;
    let mut text = match language {
        Language::Cuda => CUDA.to_string(),
        Language::OpenCl => OPENCL.to_string(),
    };
    let mut change = |(own, other): (&str, &str)| text = text.replacen(own, other, 1);
    if memory == DeviceMemory::Unified {
        change(allocation(language));
    }
    match language {
        Language::Cuda => {
            if overlapped {
                CUDA_COPIES.into_iter().for_each(&mut change);
            }
            change((CUDA_BEGIN, &cuda_begin(overlapped, pinned)));
        }
        Language::OpenCl if overlapped => {
            OPENCL_COPIES.into_iter().for_each(&mut change);
            change((OPENCL_COPY, &format!("{OPENCL_OVERLAP}{OPENCL_COPY}")));
        }
        Language::OpenCl => {}
    }
    text
}

/// What begins and ends the work of a call in CUDA.
fn cuda_begin(overlapped: bool, pinned: bool) -> String {
    if !(overlapped || pinned) {
        return CUDA_BEGIN.to_string();
    }
    let part = |is_there: bool, text: &'static str| if is_there { text } else { "" };
    let (own, pins) = (part(overlapped, CUDA_OVERLAP), part(pinned, CUDA_PINS));
    let lock = part(pinned, "  lw_pinning.lock();\n");
    let start = if overlapped { "lw_open_streams()" } else { "cudaGetLastError()" };
    let close = part(overlapped, "  lw_close_streams();\n");
    let unpin = part(pinned, "  lw_unpin();\n");
    format!(
        "{own}{pins}static cudaError_t lw_start(void)\n{{\n{lock}  return {start};\n}}\n\n\
         static void lw_finish(void)\n{{\n{close}{unpin}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that is changed and not there would be left out in silence.
    #[test]
    fn what_is_changed_is_there_once() {
        for language in [Language::Cuda, Language::OpenCl] {
            let (text, changes, begin) = match language {
                Language::Cuda => (CUDA, &CUDA_COPIES[..], CUDA_BEGIN),
                Language::OpenCl => (OPENCL, &OPENCL_COPIES[..], OPENCL_COPY),
            };
            let others = [allocation(language).0, begin];
            for own in changes.iter().map(|(own, _)| *own).chain(others) {
                assert_eq!(text.matches(own).count(), 1, "{own}");
            }
        }
    }

    #[test]
    fn copies_in_streams_leave_none_that_wait() {
        let copies = CopyOptions { overlapped: true, pinned: true };
        let cuda = start(Language::Cuda, DeviceMemory::Own, copies);
        assert!(!cuda.contains("cudaMemcpy(") && !cuda.contains("cudaMemcpy2D("), "{cuda}");
        assert!(cuda.contains("lw_pinning.lock();") && cuda.contains("lw_unpin();\n}"), "{cuda}");
        let opencl = start(Language::OpenCl, DeviceMemory::Own, copies);
        assert!(
            !opencl.contains("CL_TRUE") && opencl.contains("static void lw_finish"),
            "{opencl}"
        );
        let plain = start(Language::Cuda, DeviceMemory::Own, CopyOptions::default());
        assert_eq!(plain, CUDA);
    }
}
