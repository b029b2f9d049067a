//! `cargo xtask gates`: what has to hold of the sources and packages, apart from formatting, lints and tests.
mod budgets;
mod circles;
mod dependencies;
mod licences;
mod parameters;
mod public_api;
mod shrinking;
mod source;
mod spacing;
mod toolchain;
mod workspace;

use crate::repository;
use workspace::{Package, packages};

const USAGE: &str = "\
usage: cargo xtask gates [--bless] [--counts] [NAME ...]

  unused dependencies    every dependency is named by the code that it is declared for
  licences               those of all dependencies are allowed by deny.toml, and no crate is there twice
  circles                no more than 4 files import each other in a circle
  parameters             no function has more than 6 parameters
  budgets                those of a compilation are made by its effort
  public items           they are those that are listed in api/
  promised version       the oldest Rust that is promised is the one that compiles everything here
  web assembly           the libraries compile for wasm32-unknown-unknown; by name only, since it needs that target

What is still over the limits is listed in xtask/gates/; the lists only shrink. A NAME is a gate's, or a part of
it, to run some.
--bless writes api/ and the lists that have become
shorter. --counts prints how many circles of files each crate has, and the largest.";

/// The gate that needs what Rust does not come with.
const BY_NAME_ONLY: &str = "web assembly";

/// A remark if all is well, or what is not.
type Gate<'g> = dyn Fn() -> Result<String, String> + 'g;

/// Runs all gates and says how each went.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let Request { bless, counts, names } = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let packages = packages()?;
    if counts {
        return print_counts(&packages);
    }
    let lists = repository::root().join("xtask/gates");
    let gates: [(&str, &Gate); 8] = [
        ("unused dependencies", &|| none_found(dependencies::unused(&packages)?)),
        ("licences", &|| none_found(licences::refused()?)),
        ("circles", &|| {
            circles::large_circles(&packages)?.check(&lists.join("circles.txt"), bless)
        }),
        ("parameters", &|| {
            parameters::long_signatures(&packages)?.check(&lists.join("parameters.txt"), bless)
        }),
        ("budgets", &|| none_found(budgets::own_budgets(&packages)?)),
        ("public items", &|| public_api::check(&packages, bless)),
        ("promised version", &toolchain::promised_version),
        (BY_NAME_ONLY, &|| toolchain::web_assembly(&packages)),
    ];
    if let Some(unknown) =
        names.iter().find(|part| !gates.iter().any(|(name, _)| name.contains(*part)))
    {
        return Err(format!("there is no gate `{unknown}`\n\n{USAGE}"));
    }
    let mut failed = Vec::new();
    for (name, gate) in gates {
        let is_wanted = match names.is_empty() {
            true => name != BY_NAME_ONLY,
            false => names.iter().any(|part| name.contains(part)),
        };
        if !is_wanted {
            continue;
        }
        match gate() {
            Ok(remark) => println!("{name}: {remark}"),
            Err(reason) => {
                println!("{name}: FAILED\n{}", reason.trim_end());
                failed.push(name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("gates that fail: {}", failed.join(", "))) }
}

struct Request {
    bless: bool,
    counts: bool,
    names: Vec<String>,
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request { bless: false, counts: false, names: Vec::new() };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("bless") => request.bless = true,
            Long("counts") => request.counts = true,
            Value(name) => request.names.push(name.string()?),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

fn none_found(found: Vec<String>) -> Result<String, String> {
    if found.is_empty() { Ok("none".to_string()) } else { Err(found.join("\n")) }
}

fn print_counts(packages: &[Package]) -> Result<(), String> {
    let counts = circles::counts(packages)?;
    for (name, circles, largest) in &counts {
        println!("{name:14} {circles:3} circles, the largest of {largest} files");
    }
    println!(
        "{:14} {:3} circles",
        "all",
        counts.iter().map(|(_, circles, _)| circles).sum::<usize>()
    );
    Ok(())
}
