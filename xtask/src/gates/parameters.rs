//! Functions with many parameters.
use super::shrinking::{Entries, Entry};
use super::source::{Source, roots};
use super::workspace::Package;
use syn::visit::{self, Visit};

/// The most parameters, `self` among them, of a function that needs no entry in the list.
const MOST_PARAMETERS: usize = 6;

/// The functions with more parameters; tests are not looked at.
pub(super) fn long_signatures(packages: &[Package]) -> Result<Entries, String> {
    let mut all = Entries::default();
    for package in packages {
        for root in roots(&package.folder) {
            let source = Source::read(&root)?;
            for module in &source.modules {
                let mut finder = Finder { holder: String::new(), found: Vec::new() };
                module.items.iter().for_each(|item| finder.visit_item(item));
                let file = &source.files[module.file];
                let detail =
                    file.strip_prefix(&package.folder).unwrap_or(file).display().to_string();
                for (name, size) in finder.found {
                    let name = format!("{} {name}", package.name);
                    all.push(Entry { name, size, detail: detail.clone() });
                }
            }
        }
    }
    Ok(all)
}

struct Finder {
    /// The type or trait whose functions are looked at, with `::`.
    holder: String,
    found: Vec<(String, usize)>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let outer = std::mem::replace(&mut self.holder, format!("{}::", name.unwrap_or_default()));
        visit::visit_item_impl(self, item);
        self.holder = outer;
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let outer = std::mem::replace(&mut self.holder, format!("{}::", item.ident));
        visit::visit_item_trait(self, item);
        self.holder = outer;
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if signature.inputs.len() > MOST_PARAMETERS {
            let name = format!("{}{}", self.holder, signature.ident);
            self.found.push((name, signature.inputs.len()));
        }
        visit::visit_signature(self, signature);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_with_their_types() {
        let text =
            "impl<T> A<T> { fn f(&self, a: i8, b: i8, c: i8, d: i8, e: i8, f: i8) {} } fn g() {}";
        let file = syn::parse_file(text).unwrap();
        let mut finder = Finder { holder: String::new(), found: Vec::new() };
        finder.visit_file(&file);
        assert_eq!(finder.found, [("A::f".to_string(), 7)]);
    }
}
