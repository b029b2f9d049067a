//! `cargo xtask devices`: what programs do on a device, counted by an emulation, beside the CUDA text of
//! another compiler.
mod emulated;
mod on_device;
mod registers;
mod rows;
mod table;

use crate::deliver::deliver;
use crate::programs::{self, Program};
use crate::{list, repository};
use emulated::Emulation;
use loopwright::{CompileOptions, DeviceOptions};
use loopwright_machine::DescribedDevice;
use on_device::on_device;
use registers::Compiler;
use rows::Row;
use std::path::PathBuf;
use table::Sheet;

const USAGE: &str = "\
usage: cargo xtask devices [--programs MANIFEST] [--size SMALL,MEDIUM] [--kernels a,b] [--device NAME] [--set NAME=VALUE]...
                           [--peer FOLDER] [--peer-name NAME] [--nvcc PATH] [--nvcc-include FOLDER]...
                           [--work FOLDER] [--out docs/devices-counted.md]

Compiles each program for CUDA and runs it on an emulation that counts launches, copies, accesses,
transactions, barriers and operations, and finds races. --programs takes other programs than the
repository's kernels (docs/programs.md). --device: the one that sizes are chosen for. --set sets options as files of choices do, `yes` for flags.
--peer: FOLDER/SIZE/NAME_*.cu is another compiler's text for the program. --nvcc: registers, spills
and occupancy, too; where there is a GPU, times. --nvcc-include: headers that it does not find by itself.";

/// What is asked for.
struct Request {
    programs: Option<PathBuf>,
    sizes: Vec<String>,
    kernels: Vec<String>,
    options: CompileOptions,
    peer: Option<PathBuf>,
    peer_name: String,
    nvcc: Option<PathBuf>,
    nvcc_includes: Vec<PathBuf>,
    work: PathBuf,
    out: Option<PathBuf>,
}

/// Counts, prints the tables and writes them; fails if a program of ours is wrong.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let collection = programs::read(request.programs.as_deref())?.select(&request.kernels)?;
    let compiler = |path| Compiler::new(path, &request.nvcc_includes);
    let compiler = request.nvcc.as_deref().map(compiler).transpose()?;
    let mut sheets = Vec::new();
    for size in &request.sizes {
        let folder = request.work.join(size);
        let emulation = Emulation::new(&folder)?;
        let mut rows = Vec::new();
        for program in &collection.programs {
            eprintln!("{} {size}", program.name);
            rows.push(row(program, size, &request, &emulation, compiler.as_ref())?);
        }
        sheets.push(Sheet { size, rows });
    }
    let peer = request.peer.as_ref().map(|_| request.peer_name.as_str());
    let text = table::text(&sheets, &collection.title, peer);
    let out = request.out.unwrap_or_else(|| repository::root().join("docs/devices-counted.md"));
    deliver(&text, Some(&out))?;
    let wrong: Vec<String> = sheets.iter().flat_map(Sheet::wrong).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// All about one program at one size.
fn row(
    program: &Program,
    size: &str,
    request: &Request,
    emulation: &Emulation,
    compiler: Option<&Compiler>,
) -> Result<Row, String> {
    let program = program.printing();
    let expected = emulation.original(&program, size)?;
    let ours = emulation.ours(&program, size, &request.options)?;
    let place = request.peer.as_ref().map(|folder| folder.join(size));
    let peer = place.map(|place| emulation.peer(&program, size, &place)).transpose()?.flatten();
    let compile = |texts: &[PathBuf], run: &emulated::Run| match compiler {
        None => Ok(Vec::new()),
        Some(compiler) => compiler.kernels(texts, &run.counts),
    };
    let seconds = match (compiler, &ours.text) {
        (Some(compiler), Some(text)) => on_device(compiler, &program, size, text)?,
        _ => None,
    };
    Ok(Row {
        name: program.name.trim_end_matches("-printing").to_string(),
        compiled: ours.run.as_ref().map_or(Ok(Vec::new()), |run| compile(&ours.texts(), run))?,
        peer_compiled: match &peer {
            Some(Ok(peer)) => compile(&peer.texts, &peer.run)?,
            _ => Vec::new(),
        },
        transformation_ms: ours.milliseconds,
        is_proved: ours.is_proved,
        stays: ours.stays,
        ours: ours.run.map(|run| rows::Outcome::new(run, &expected)),
        peer: peer.map(|peer| peer.map(|peer| rows::Outcome::new(peer.run, &expected))),
        seconds,
    })
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        programs: None,
        sizes: vec!["SMALL".to_string()],
        kernels: Vec::new(),
        options: CompileOptions {
            device: Some(loopwright_backend::device::Language::Cuda),
            devices: DeviceOptions { always: true, ..DeviceOptions::default() },
            ..CompileOptions::new()
        },
        peer: None,
        peer_name: "peer".to_string(),
        nvcc: None,
        nvcc_includes: Vec::new(),
        work: std::env::temp_dir().join(format!("loopwright-devices-{}", std::process::id())),
        out: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("programs") => request.programs = Some(parser.value()?.into()),
            Long("size") => request.sizes = list::names(&parser.value()?.string()?),
            Long("kernels") => request.kernels = list::names(&parser.value()?.string()?),
            Long("device") => {
                let name = parser.value()?.string()?;
                let known = DescribedDevice::named(&name).ok_or("there is no such device")?;
                request.options.devices.device = known.device;
            }
            Long("set") => {
                let setting = parser.value()?.string()?;
                let (name, value) =
                    setting.split_once('=').ok_or("--set needs NAME=VALUE".to_string())?;
                request.options.set_to(name, value)?;
            }
            Long("peer") => request.peer = Some(parser.value()?.into()),
            Long("peer-name") => request.peer_name = parser.value()?.string()?,
            Long("nvcc") => request.nvcc = Some(parser.value()?.into()),
            Long("nvcc-include") => request.nvcc_includes.push(parser.value()?.into()),
            Long("work") => request.work = parser.value()?.into(),
            Long("out") => request.out = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}
