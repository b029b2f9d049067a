//! Files that import each other in a circle.
use super::shrinking::{Entries, Entry};
use super::source::{Source, Target, local_imports, roots};
use super::workspace::Package;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The most files of a circle that needs no entry in the list.
const MOST_FILES: usize = 4;

/// The circles of over four files, by crate; the largest first.
pub(super) fn large_circles(packages: &[Package]) -> Result<Entries, String> {
    let mut all = Entries::default();
    for package in packages {
        let imports = imports(package)?;
        let mut circles = circles(&imports);
        circles.retain(|circle| circle.len() > MOST_FILES);
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        for (position, circle) in circles.iter().enumerate() {
            let files: Vec<String> = circle
                .iter()
                .map(|file| {
                    file.strip_prefix(&package.folder).unwrap_or(file).display().to_string()
                })
                .collect();
            all.push(Entry {
                name: format!("{} circle {}", package.name, position + 1),
                size: circle.len(),
                detail: files.join(" "),
            });
        }
    }
    Ok(all)
}

/// How many circles of two or more files there are in each package, and the size of the largest.
pub(super) fn counts(packages: &[Package]) -> Result<Vec<(String, usize, usize)>, String> {
    let count = |package: &Package| {
        let circles = circles(&imports(package)?);
        let largest = circles.iter().map(Vec::len).max().unwrap_or(0);
        Ok((package.name.clone(), circles.len(), largest))
    };
    packages.iter().map(count).collect()
}

type Graph = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// What each file of a package takes from which others.
fn imports(package: &Package) -> Result<Graph, String> {
    let mut graph = Graph::new();
    for root in roots(&package.folder) {
        let source = Source::read(&root)?;
        for module in 0..source.modules.len() {
            let from = &source.files[source.modules[module].file];
            let edges = graph.entry(from.clone()).or_default();
            edges.extend(files_of(&source, module).into_iter().filter(|to| to != from));
        }
    }
    Ok(graph)
}

/// The files that a module takes something from.
fn files_of(source: &Source, module: usize) -> BTreeSet<PathBuf> {
    let mut uses = Uses::default();
    for item in &source.modules[module].items {
        uses.scan(item.to_token_stream());
    }
    let here = &source.modules[module];
    for import in &here.imports {
        let is_used = |name: &String| uses.words.contains(name);
        // What is only handed on is not used.
        if !import.is_reexport() || import.name.as_ref().is_some_and(is_used) {
            uses.paths.insert(import.segments.clone());
        }
    }
    if here.imports.iter().any(|import| import.name.is_none()) {
        uses.paths.extend(uses.called.iter().map(|name| vec![name.clone()]));
    }
    let targets = uses.paths.iter().filter_map(|path| source.resolve(module, path));
    let files = targets.filter_map(|target| match target {
        // A module that is named without anything in it: what is taken is seen where it is used.
        Target::Module(_) => None,
        Target::Item { module, .. } => Some(source.files[source.modules[module].file].clone()),
    });
    files.collect()
}

/// The paths and words of some code.
#[derive(Default)]
struct Uses {
    paths: BTreeSet<Vec<String>>,
    words: BTreeSet<String>,
    /// Words that name a type or are called: what a glob may have brought.
    called: BTreeSet<String>,
}

impl Uses {
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(word) if word == "use" => at = self.scan_use(&tokens, at),
                TokenTree::Ident(_) => {
                    let is_member = at > 0
                        && is_punctuation(&tokens[at - 1], '.')
                        && !(at > 1 && is_punctuation(&tokens[at - 2], '.'));
                    let (path, next) = path_at(&tokens, at);
                    if !is_member {
                        self.add(path, tokens.get(next));
                    }
                    at = next;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn add(&mut self, path: Vec<String>, next: Option<&TokenTree>) {
        self.words.insert(path[0].clone());
        let is_type = path[0].starts_with(char::is_uppercase);
        let is_called = matches!(next, Some(TokenTree::Group(_)));
        if path.len() > 1 {
            self.paths.insert(path);
        } else if is_type || is_called {
            self.called.insert(path[0].clone());
        }
    }

    /// Reads a `use` within code and returns the position of its end.
    fn scan_use(&mut self, tokens: &[TokenTree], start: usize) -> usize {
        let length = tokens[start..].iter().position(|token| is_punctuation(token, ';'));
        let Some(length) = length else { return start };
        let item: TokenStream = tokens[start..=start + length].iter().cloned().collect();
        if let Ok(item) = syn::parse2(item) {
            self.paths.extend(local_imports(&item).into_iter().map(|import| import.segments));
        }
        start + length
    }
}

fn is_punctuation(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == wanted)
}

/// The path that starts at a word, and the position after it.
fn path_at(tokens: &[TokenTree], start: usize) -> (Vec<String>, usize) {
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    let mut path: Vec<String> = word(start).into_iter().collect();
    let mut at = start + 1;
    let is_colon = |at: usize| tokens.get(at).is_some_and(|token| is_punctuation(token, ':'));
    while is_colon(at) && is_colon(at + 1) {
        let Some(next) = word(at + 2) else { break };
        path.push(next);
        at += 3;
    }
    (path, at)
}

/// The strongly connected parts of two or more files (Tarjan, "Depth-first search and linear graph
/// algorithms", SIAM J. Computing 1(2), 1972).
fn circles(graph: &Graph) -> Vec<Vec<PathBuf>> {
    let mut search = Search { graph, order: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
    for file in graph.keys() {
        if !search.order.contains_key(file) {
            search.visit(file);
        }
    }
    search.found.into_iter().filter(|circle| circle.len() > 1).collect()
}

struct Search<'g> {
    graph: &'g Graph,
    /// When a file was reached, and the earliest file that it leads back to; none if its part is complete.
    order: BTreeMap<&'g PathBuf, (usize, Option<usize>)>,
    stack: Vec<&'g PathBuf>,
    found: Vec<Vec<PathBuf>>,
}

impl<'g> Search<'g> {
    fn visit(&mut self, file: &'g PathBuf) -> usize {
        let own = self.order.len();
        let mut low = own;
        self.order.insert(file, (own, Some(own)));
        self.stack.push(file);
        for next in self.graph.get(file).into_iter().flatten() {
            match self.order.get(next) {
                None => low = low.min(self.visit(next)),
                Some((reached, Some(_))) => low = low.min(*reached),
                Some((_, None)) => {}
            }
        }
        if low == own {
            let start = self.stack.iter().position(|other| *other == file).unwrap_or(0);
            let circle = self.stack.split_off(start);
            for done in &circle {
                if let Some((_, open)) = self.order.get_mut(done) {
                    *open = None;
                }
            }
            self.found.push(circle.into_iter().cloned().collect());
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_lead_to_each_other_are_circles() {
        let edges =
            [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("f", "a")];
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from.into()).or_default().insert(PathBuf::from(to));
        }
        let mut found: Vec<usize> = circles(&graph).iter().map(Vec::len).collect();
        found.sort_unstable();
        assert_eq!(found, [2, 3]);
    }

    #[test]
    fn paths_are_found_in_macros_and_local_imports() {
        let mut uses = Uses::default();
        uses.scan(
            "fn f() { use super::a::{B, c}; println!(\"{}\", crate::d::E::new(x.y)); }"
                .parse()
                .unwrap(),
        );
        let paths: Vec<String> = uses.paths.iter().map(|path| path.join("::")).collect();
        assert_eq!(paths, ["crate::d::E::new", "super::a::B", "super::a::c"]);
        assert!(!uses.words.contains("y"));
    }
}
