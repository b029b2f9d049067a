//! What names mean where regions begin: what the regions of a function have in common is found once.
use crate::facts::file_scope::scopes_of_file;
use crate::facts::function_names::FunctionKey;
use crate::facts::scope::Scopes;
use crate::facts::variables::Origin;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::has_storage;
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// The scopes of a file, and those of its functions once they are needed.
pub(crate) struct Entrances<'t> {
    source: &'t str,
    file: Scopes<'t>,
    functions: FxHashMap<FunctionKey, Entrance<'t>>,
}

/// The scopes of a function.
#[derive(Default)]
struct Entrance<'t> {
    /// Where its body begins.
    body: OnceLock<Scopes<'t>>,
    /// Behind the declarations that its body begins with.
    statements: OnceLock<Scopes<'t>>,
}

impl<'t> Entrances<'t> {
    /// Those of a file.
    pub(crate) fn of_file(source: &'t str, root: Node<'t>) -> Self {
        let functions = root.of_kind(Kind::FunctionDefinition);
        let functions = functions.map(|f| (f.start_byte(), Entrance::default())).collect();
        Entrances { source, file: scopes_of_file(source, root), functions }
    }

    /// The scopes outside of functions.
    pub(crate) fn file(&self) -> &Scopes<'t> {
        &self.file
    }

    /// The scopes from a function down to a byte in a block of it.
    ///
    /// *Cost.* Linear in the declarations of these blocks, without those that the function begins with.
    pub(crate) fn at(&self, function: Node<'t>, block: Node<'t>, byte: usize) -> Scopes<'t> {
        let around = std::iter::successors(Some(block), |node| node.parent());
        let mut path: Vec<Node<'t>> = around.take_while(|node| *node != function).collect();
        let body = path.last().copied().filter(|node| function.field(Field::Body) == Some(*node));
        let declared = body.map(|body| (body, body.start_byte()..end_of_declarations(body)));
        let mut scopes = match declared.filter(|(_, declared)| declared.end <= byte) {
            Some((body, declared)) => {
                path.pop();
                let end = declared.end;
                let mut scopes = self.statements(function, body, declared);
                self.declare(&mut scopes, function, body, end..byte);
                scopes
            }
            None => self.body(function),
        };
        for block in path.into_iter().rev() {
            scopes.push();
            self.declare(&mut scopes, function, block, block.start_byte()..byte);
        }
        scopes
    }

    fn body(&self, function: Node<'t>) -> Scopes<'t> {
        let enter = || {
            let mut scopes = self.file.clone();
            scopes.enter_function(self.source, function);
            scopes
        };
        match self.functions.get(&function.start_byte()) {
            Some(entrance) => entrance.body.get_or_init(enter).clone(),
            None => enter(),
        }
    }

    fn statements(&self, function: Node<'t>, body: Node<'t>, declared: Range<usize>) -> Scopes<'t> {
        let enter = || {
            let mut scopes = self.body(function);
            scopes.push();
            self.declare(&mut scopes, function, body, declared);
            scopes
        };
        match self.functions.get(&function.start_byte()) {
            Some(entrance) => entrance.statements.get_or_init(enter).clone(),
            None => enter(),
        }
    }

    /// Declares what is declared in some bytes of a block itself.
    fn declare(
        &self,
        scopes: &mut Scopes<'t>,
        function: Node<'t>,
        block: Node<'t>,
        bytes: Range<usize>,
    ) {
        let names = scopes.index.names_of(self.source, function);
        for item in names.declarations_in(block, bytes) {
            match item.kind() {
                Kind::Declaration => {
                    scopes.declare(self.source, item, self.origin(item));
                }
                Kind::TypeDefinition => scopes.define_type(self.source, item),
                Kind::Error => scopes.hide(self.source, item),
                _ => scopes.enumerators(self.source, item),
            }
        }
    }

    fn origin(&self, declaration: Node<'t>) -> Origin {
        match has_storage(self.source, declaration, "extern") {
            true => Origin::File { is_static: false },
            false => Origin::Local { is_static: has_storage(self.source, declaration, "static") },
        }
    }
}

/// The byte behind the declarations that a function's body begins with.
fn end_of_declarations(body: Node<'_>) -> usize {
    let declarations = body.named_children().take_while(|item| {
        matches!(
            item.kind(),
            Kind::Declaration
                | Kind::TypeDefinition
                | Kind::EnumSpecifier
                | Kind::StructSpecifier
                | Kind::UnionSpecifier
        )
    });
    declarations.last().map_or(body.start_byte(), |last| last.end_byte())
}
