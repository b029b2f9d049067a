//! Budgets of compilations that no effort decides about.
use super::source::{Source, roots};
use super::workspace::Package;
use syn::visit::{self, Visit};

/// The package whose stages have budgets, and its folders of what an effort decides about.
const PACKAGE: &str = "loopwright";
const FOLDERS: [&str; 2] = ["src/pipeline", "src/network"];

/// How budgets are made out of nothing.
const MAKERS: [&str; 3] = ["steps", "time", "unlimited"];

/// The files of a compilation that make budgets which are not those of an effort, with the maker; tests are
/// not looked at.
pub(super) fn own_budgets(packages: &[Package]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for package in packages.iter().filter(|package| package.name == PACKAGE) {
        for root in roots(&package.folder) {
            let source = Source::read(&root)?;
            for module in &source.modules {
                let file = &source.files[module.file];
                if !FOLDERS.iter().any(|folder| file.starts_with(package.folder.join(folder))) {
                    continue;
                }
                let mut finder = Finder::default();
                module.items.iter().for_each(|item| finder.visit_item(item));
                found.extend(finder.found.iter().map(|maker| {
                    format!("{}: `Budget::{maker}` in place of `Effort::budget`", file.display())
                }));
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

#[derive(Default)]
struct Finder {
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if let [.., of, maker] = &names[..]
            && of == "Budget"
            && MAKERS.contains(&maker.as_str())
        {
            self.found.push(maker.clone());
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_out_of_nothing_are_found() {
        let text =
            "fn f() { let b = Budget::steps(STEPS); let c = || presburger::Budget::unlimited(); }";
        let file = syn::parse_file(text).unwrap();
        let mut finder = Finder::default();
        finder.visit_file(&file);
        assert_eq!(finder.found, ["steps", "unlimited"]);
        let file = syn::parse_file("fn f() { effort.budget(STEPS); Budget::of(effort) }").unwrap();
        let mut finder = Finder::default();
        finder.visit_file(&file);
        assert!(finder.found.is_empty());
    }
}
