//! The public items of each library, a line each, as they were when last looked at: api/CRATE.txt.
//!
//! A change of a public item shows as a change of a file. (`cargo public-api` needs a nightly compiler.)
use super::source::{Module, Source, Target, defined_name};
use super::spacing::spaced;
use super::workspace::Package;
use crate::repository;
use std::collections::BTreeSet;
use syn::{Attribute, Fields, ImplItem, Item, Meta, TraitItem, Visibility};

/// How many changes of a crate are printed.
const MOST_LINES: usize = 20;

/// Compares the public items with the lists, or writes these.
pub(super) fn check(packages: &[Package], bless: bool) -> Result<String, String> {
    let folder = repository::root().join("api");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let (mut changes, mut total) = (Vec::new(), 0);
    for package in packages {
        let root = package.folder.join("src/lib.rs");
        if !root.exists() {
            continue;
        }
        let lines = lines(&Source::read(&root)?);
        total += lines.len();
        let path = folder.join(format!("{}.txt", package.name));
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if bless {
            std::fs::write(&path, text).map_err(|e| e.to_string())?;
        } else if text != before {
            changes.push(difference(&package.name, &before, &lines));
        }
    }
    if changes.is_empty() {
        return Ok(format!("{total} public items"));
    }
    let hint = "`cargo xtask gates --bless` writes the lists in api/";
    Err(format!("{}public items have changed: {hint}", changes.concat()))
}

fn difference(name: &str, before: &str, after: &BTreeSet<String>) -> String {
    let before: BTreeSet<&str> = before.lines().collect();
    let gone = before.iter().filter(|line| !after.contains(**line)).map(|line| format!("- {line}"));
    let new =
        after.iter().filter(|line| !before.contains(line.as_str())).map(|line| format!("+ {line}"));
    let all: Vec<String> = gone.chain(new).collect();
    let more = all.len().saturating_sub(MOST_LINES);
    let shown = all.iter().take(MOST_LINES).map(|line| format!("{name} {line}\n"));
    let more = (more > 0).then(|| format!("{name} and {more} more\n"));
    shown.chain(more).collect()
}

/// A line for each public item of a library.
fn lines(source: &Source) -> BTreeSet<String> {
    let mut listing =
        Listing { source, lines: BTreeSet::new(), exported: BTreeSet::new(), modules: Vec::new() };
    listing.add_module(0, "");
    for module in 0..source.modules.len() {
        listing.add_implementations(module);
    }
    listing.lines
}

struct Listing<'s> {
    source: &'s Source,
    lines: BTreeSet<String>,
    /// Types and traits that are public, as module and name.
    exported: BTreeSet<(usize, String)>,
    /// The modules that are being added, with their prefixes.
    modules: Vec<usize>,
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

impl Listing<'_> {
    fn add_module(&mut self, module: usize, prefix: &str) {
        if self.modules.contains(&module) {
            return;
        }
        self.modules.push(module);
        let here: &Module = &self.source.modules[module];
        for item in &here.items {
            self.add_item(module, item, prefix);
        }
        for (name, &child) in &here.children {
            if self.source.modules[child].is_public {
                self.lines.insert(format!("mod {prefix}{name}"));
                self.add_module(child, &format!("{prefix}{name}::"));
            }
        }
        for import in here.imports.iter().filter(|import| is_public(&import.visibility)) {
            match (self.source.resolve(module, &import.segments), &import.name) {
                (Some(Target::Module(other)), None) => self.add_module(other, prefix),
                (Some(Target::Module(other)), Some(name)) => {
                    self.add_module(other, &format!("{prefix}{name}::"));
                }
                (Some(Target::Item { module, name }), _) => self.add_named(module, &name, prefix),
                (None, name) => {
                    let name = name.as_deref().unwrap_or("*");
                    let path = import.segments.join("::");
                    self.lines.insert(format!("use {prefix}{name} = {path}"));
                }
            }
        }
        self.modules.pop();
    }

    fn add_named(&mut self, module: usize, name: &str, prefix: &str) {
        let source = self.source;
        let has_name = |item: &&Item| defined_name(item).as_deref() == Some(name);
        for item in source.modules[module].items.iter().filter(has_name) {
            self.add_item(module, item, prefix);
        }
    }

    fn add_item(&mut self, module: usize, item: &Item, prefix: &str) {
        let mut export = |name: &syn::Ident| self.exported.insert((module, name.to_string()));
        match item {
            Item::Const(item) if is_public(&item.vis) => {
                self.lines.insert(format!("const {prefix}{}: {}", item.ident, spaced(&item.ty)));
            }
            Item::Static(item) if is_public(&item.vis) => {
                self.lines.insert(format!("static {prefix}{}: {}", item.ident, spaced(&item.ty)));
            }
            Item::Type(item) if is_public(&item.vis) => {
                self.lines.insert(format!("type {prefix}{} = {}", item.ident, spaced(&item.ty)));
            }
            Item::Fn(item) if is_public(&item.vis) => {
                self.lines.insert(format!("{prefix}{}", spaced(&item.sig)));
            }
            Item::Struct(item) if is_public(&item.vis) => {
                export(&item.ident);
                let name = format!("{prefix}{}{}", item.ident, spaced(&item.generics));
                self.add_fields(&name, &item.fields);
                self.add_type("struct", &name, &item.attrs);
            }
            Item::Enum(item) if is_public(&item.vis) => {
                export(&item.ident);
                let name = format!("{prefix}{}{}", item.ident, spaced(&item.generics));
                for variant in &item.variants {
                    let mut fields = variant.fields.clone();
                    fields.iter_mut().for_each(|field| field.attrs.clear());
                    let fields = spaced(&fields);
                    self.lines.insert(format!("{name}: variant {}{fields}", variant.ident));
                }
                self.add_type("enum", &name, &item.attrs);
            }
            Item::Trait(item) if is_public(&item.vis) => {
                export(&item.ident);
                let name = format!("{prefix}{}{}", item.ident, spaced(&item.generics));
                for member in &item.items {
                    let text = match member {
                        TraitItem::Fn(member) => spaced(&member.sig),
                        TraitItem::Type(member) => format!("type {}", member.ident),
                        TraitItem::Const(member) => {
                            format!("const {}: {}", member.ident, spaced(&member.ty))
                        }
                        _ => continue,
                    };
                    self.lines.insert(format!("{name}: {text}"));
                }
                self.lines.insert(format!("trait {name}"));
            }
            Item::Macro(item) if item.attrs.iter().any(|a| a.path().is_ident("macro_export")) => {
                if let Some(name) = &item.ident {
                    self.lines.insert(format!("macro {name}!"));
                }
            }
            _ => {}
        }
    }

    fn add_type(&mut self, kind: &str, name: &str, attributes: &[Attribute]) {
        let marks = ["non_exhaustive", "must_use"];
        let marks = marks.iter().filter(|mark| attributes.iter().any(|a| a.path().is_ident(mark)));
        let marks: String = marks.map(|mark| format!("#[{mark}] ")).collect();
        self.lines.insert(format!("{marks}{kind} {name}"));
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            if let Meta::List(list) = &attribute.meta {
                let derived = list.tokens.to_string();
                for name_of_trait in
                    derived.split(',').map(str::trim).filter(|text| !text.is_empty())
                {
                    self.lines.insert(format!("{name}: impl {}", name_of_trait.replace(' ', "")));
                }
            }
        }
    }

    fn add_fields(&mut self, name: &str, fields: &Fields) {
        for (position, field) in
            fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis))
        {
            let field_name =
                field.ident.as_ref().map_or(position.to_string(), |ident| ident.to_string());
            self.lines.insert(format!("{name}: {field_name}: {}", spaced(&field.ty)));
        }
    }

    /// What is implemented for public types.
    fn add_implementations(&mut self, module: usize) {
        for item in &self.source.modules[module].items {
            let Item::Impl(item) = item else { continue };
            let Some(name) = self.exported_type(module, &item.self_ty) else { continue };
            if let Some((path, _)) = &item.trait_ {
                self.lines.insert(format!("{name}: impl {}", spaced(path)));
                continue;
            }
            for member in &item.items {
                let text = match member {
                    ImplItem::Fn(member) if is_public(&member.vis) => spaced(&member.sig),
                    ImplItem::Const(member) if is_public(&member.vis) => {
                        format!("const {}: {}", member.ident, spaced(&member.ty))
                    }
                    _ => continue,
                };
                self.lines.insert(format!("{name}: {text}"));
            }
        }
    }

    /// A type's text if it is a public type of this crate.
    fn exported_type(&self, module: usize, of: &syn::Type) -> Option<String> {
        let inner = match of {
            syn::Type::Reference(reference) => &*reference.elem,
            other => other,
        };
        let syn::Type::Path(path) = inner else { return None };
        let segments: Vec<String> =
            path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let Some(Target::Item { module, name }) = self.source.resolve(module, &segments) else {
            return None;
        };
        self.exported.contains(&(module, name)).then(|| spaced(of))
    }
}
