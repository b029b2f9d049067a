//! The source of a crate as a tree of modules, without tests, and what a path in it names.
//!
//! Names are resolved as far as a reader resolves them: through imports, re-exports and globs, to the
//! module that defines an item. Methods are not: their files are seen through the names of their types.
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, Meta, UseTree, Visibility};

/// How many re-exports are followed, so that globs that import each other end.
const MOST_REEXPORTS: usize = 12;

/// A module, in a file of its own or within one.
pub(super) struct Module {
    pub(super) path: Vec<String>,
    parent: Option<usize>,
    /// Its file, by position in [`Source::files`].
    pub(super) file: usize,
    pub(super) is_public: bool,
    pub(super) children: BTreeMap<String, usize>,
    /// What it defines, but for modules and imports.
    pub(super) items: Vec<Item>,
    pub(super) imports: Vec<Import>,
    names: BTreeSet<String>,
}

/// One name, or all names of a module, in scope by `use`.
pub(super) struct Import {
    pub(super) segments: Vec<String>,
    /// The name in scope; none for all names.
    pub(super) name: Option<String>,
    /// Whether it is handed on: to all, or within the crate.
    pub(super) visibility: Visibility,
}

/// The modules of a library or a program.
pub(super) struct Source {
    pub(super) files: Vec<PathBuf>,
    /// The first is the root.
    pub(super) modules: Vec<Module>,
}

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Module(usize),
    Item { module: usize, name: String },
}

impl Import {
    pub(super) fn is_reexport(&self) -> bool {
        !matches!(self.visibility, Visibility::Inherited)
    }
}

impl Source {
    /// Reads a library or a program from its first file.
    ///
    /// # Errors
    ///
    /// A file cannot be read or is no Rust.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut source = Source { files: Vec::new(), modules: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("."));
        source.read_file(root, folder, Vec::new(), None)?;
        Ok(source)
    }

    fn read_file(
        &mut self,
        path: &Path,
        folder: &Path,
        module_path: Vec<String>,
        parent: Option<(usize, bool)>,
    ) -> Result<usize, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let file = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        self.files.push(path.to_path_buf());
        let module = Module {
            path: module_path,
            parent: parent.map(|(parent, _)| parent),
            file: self.files.len() - 1,
            is_public: parent.is_none_or(|(_, is_public)| is_public),
            children: BTreeMap::new(),
            items: Vec::new(),
            imports: Vec::new(),
            names: BTreeSet::new(),
        };
        self.modules.push(module);
        let id = self.modules.len() - 1;
        self.add_items(id, folder, file.items)?;
        Ok(id)
    }

    fn add_items(&mut self, id: usize, folder: &Path, items: Vec<Item>) -> Result<(), String> {
        for item in items {
            if attributes(&item).is_some_and(is_for_tests) {
                continue;
            }
            match item {
                Item::Mod(child) => self.add_module(id, folder, child)?,
                Item::Use(item) => {
                    let imports = &mut self.modules[id].imports;
                    add_imports(&item.tree, &mut Vec::new(), &item.vis, imports);
                }
                item => {
                    let module = &mut self.modules[id];
                    module.names.extend(defined_name(&item));
                    module.items.push(item);
                }
            }
        }
        Ok(())
    }

    fn add_module(&mut self, id: usize, folder: &Path, child: syn::ItemMod) -> Result<(), String> {
        let name = child.ident.to_string();
        let inner_folder = folder.join(&name);
        let path = [self.modules[id].path.as_slice(), std::slice::from_ref(&name)].concat();
        let is_public = matches!(child.vis, Visibility::Public(_));
        let child_id = match child.content {
            Some((_, items)) => {
                self.modules.push(Module {
                    path,
                    parent: Some(id),
                    file: self.modules[id].file,
                    is_public,
                    children: BTreeMap::new(),
                    items: Vec::new(),
                    imports: Vec::new(),
                    names: BTreeSet::new(),
                });
                let child_id = self.modules.len() - 1;
                self.add_items(child_id, &inner_folder, items)?;
                child_id
            }
            None => {
                let flat = folder.join(format!("{name}.rs"));
                let file = if flat.exists() { flat } else { inner_folder.join("mod.rs") };
                self.read_file(&file, &inner_folder, path, Some((id, is_public)))?
            }
        };
        self.modules[id].children.insert(name, child_id);
        Ok(())
    }

    /// What a path in a module names; none for other crates, local names and methods.
    pub(super) fn resolve(&self, module: usize, segments: &[String]) -> Option<Target> {
        self.resolve_within(module, segments, MOST_REEXPORTS)
    }

    fn resolve_within(&self, module: usize, segments: &[String], depth: usize) -> Option<Target> {
        let (first, rest) = segments.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(module),
            "super" => Target::Module(self.modules[module].parent?),
            name => self.named(module, name, depth)?,
        };
        for segment in rest {
            let Target::Module(module) = at else { break };
            at = match segment.as_str() {
                "super" => Target::Module(self.modules[module].parent?),
                "self" => at,
                name => self.named(module, name, depth)?,
            };
        }
        Some(at)
    }

    /// What a name means in a module.
    fn named(&self, module: usize, name: &str, depth: usize) -> Option<Target> {
        let depth = depth.checked_sub(1)?;
        let here = &self.modules[module];
        if let Some(&child) = here.children.get(name) {
            return Some(Target::Module(child));
        }
        if here.names.contains(name) {
            return Some(Target::Item { module, name: name.to_string() });
        }
        let is_named = |import: &&Import| import.name.as_deref() == Some(name);
        if let Some(import) = here.imports.iter().find(is_named) {
            // A crate of the name that is imported: nothing of this one.
            let is_itself = import.segments.first().is_some_and(|first| first == name);
            return if is_itself {
                None
            } else {
                self.resolve_within(module, &import.segments, depth)
            };
        }
        let globs = here.imports.iter().filter(|import| import.name.is_none());
        globs.filter(|glob| !glob.segments.is_empty()).find_map(|glob| {
            match self.resolve_within(module, &glob.segments, depth)? {
                Target::Module(other) if other != module => self.named(other, name, depth),
                _ => None,
            }
        })
    }
}

/// The first files of a crate's library and of its program, as far as it has them.
pub(super) fn roots(crate_folder: &Path) -> Vec<PathBuf> {
    let all = ["src/lib.rs", "src/main.rs"].map(|name| crate_folder.join(name));
    all.into_iter().filter(|path| path.exists()).collect()
}

fn add_imports(
    tree: &UseTree,
    prefix: &mut Vec<String>,
    visibility: &Visibility,
    found: &mut Vec<Import>,
) {
    let mut add = |last: Option<String>, name: Option<String>| {
        let segments = prefix.iter().cloned().chain(last).collect();
        found.push(Import { segments, name, visibility: visibility.clone() });
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            add_imports(&path.tree, prefix, visibility, found);
            prefix.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            let last = prefix.last().cloned();
            add(None, last);
        }
        UseTree::Name(name) => add(Some(name.ident.to_string()), Some(name.ident.to_string())),
        UseTree::Rename(rename) => {
            let last = (rename.ident != "self").then(|| rename.ident.to_string());
            add(last, Some(rename.rename.to_string()));
        }
        UseTree::Glob(_) => add(None, None),
        UseTree::Group(group) => {
            for tree in &group.items {
                add_imports(tree, prefix, visibility, found);
            }
        }
    }
}

/// The imports of a `use` in the middle of code.
pub(super) fn local_imports(item: &syn::ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    add_imports(&item.tree, &mut Vec::new(), &item.vis, &mut found);
    found
}

/// Whether attributes leave an item out of all but tests.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if attribute.path().is_ident("cfg") => {
            let text = list.tokens.to_string();
            text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test")
                && !text.contains("not")
        }
        _ => false,
    })
}

fn attributes(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

/// The name that an item defines.
pub(super) fn defined_name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}
