//! What is declared at the start of a region's text.
use super::{Pragma, Printer};
use loopwright_astgen::{AstExpr, AstNode, Build};
use loopwright_presburger::{Budget, Error, Name, Result};
use loopwright_schedule::LoopMark;
use loopwright_scop::{Array, Parameter, Statement};
use std::collections::{BTreeSet, HashSet};

/// Steps that it may cost to find out when an array is used.
const SIMPLIFICATION_STEPS: u64 = 20_000;

impl Printer<'_> {
    /// A tree in a block with the variables that the region declares and the symbolic constants that it reads
    /// from memory; without a block if there are none.
    pub(super) fn block_with_declarations(&mut self, ast: &AstNode) -> Result<()> {
        let is_declared = self.scop.arrays.iter().any(|array| array.declared_in_scop);
        if !is_declared && self.scop.parameters.iter().all(|p| p.value.is_none()) {
            return self.node(ast);
        }
        let inside = self.writer.inside();
        let outside = std::mem::replace(&mut self.writer, inside);
        self.node(ast)?;
        let inside = std::mem::replace(&mut self.writer, outside).finish();
        let mut declarations = Vec::new();
        let in_iterations = self.arrays_of_iterations(ast);
        for array in self.scop.arrays.iter().filter(|array| array.declared_in_scop) {
            if !in_iterations.contains(&array.tuple_name) {
                declarations.push(format!("{};", self.declaration(array)?));
            }
        }
        if declarations.is_empty() && self.scop.parameters.iter().all(|p| p.value.is_none()) {
            self.writer.lines_from_inside(&inside);
            return Ok(());
        }
        declarations.extend(self.constants(&inside.text));
        self.writer.line("{");
        self.writer.depth_in();
        declarations.iter().for_each(|declaration| self.writer.line(declaration));
        self.writer.depth_out();
        self.writer.lines(&inside);
        self.writer.line("}");
        Ok(())
    }

    /// The arrays that are used in iterations only that declare them: a copy in front would take room for
    /// nothing.
    fn arrays_of_iterations(&self, ast: &AstNode) -> BTreeSet<Name> {
        let mut shared = self.in_front.clone();
        let mut own = BTreeSet::new();
        self.find_arrays(ast, &mut Vec::new(), (&mut shared, &mut own));
        own.retain(|name| !shared.contains(name));
        own
    }

    /// Adds the arrays that marks say each iteration has for itself, and the variables that are used
    /// elsewhere.
    fn find_arrays(
        &self,
        node: &AstNode,
        around: &mut Vec<Name>,
        (shared, own): (&mut BTreeSet<Name>, &mut BTreeSet<Name>),
    ) {
        match node {
            AstNode::For(inner) => self.find_arrays(&inner.body, around, (shared, own)),
            AstNode::Block(children) => {
                children.iter().for_each(|child| self.find_arrays(child, around, (shared, own)));
            }
            AstNode::If { then, otherwise, .. } => {
                self.find_arrays(then, around, (shared, own));
                if let Some(otherwise) = otherwise {
                    self.find_arrays(otherwise, around, (shared, own));
                }
            }
            AstNode::Mark { name, child, .. } => {
                let mark = LoopMark::parse(name);
                let private = mark.map_or(Vec::new(), |mark| mark.private);
                let n_around = around.len();
                let is_array = |name: &&Name| self.own_array(name).is_some();
                own.extend(private.iter().filter(is_array).cloned());
                around.extend(private);
                self.find_arrays(child, around, (shared, own));
                around.truncate(n_around);
            }
            AstNode::User { statement, .. } => {
                let name = statement.output().and_then(|tuple| tuple.name());
                let statement = name.and_then(|name| self.scop.statement_named(name));
                let accesses = statement.map_or(&[][..], |statement| &statement.accesses);
                let names = accesses.iter().map(|a| &self.scop.array(a.array).tuple_name);
                shared.extend(names.filter(|name| !around.contains(name)).cloned());
            }
        }
    }

    /// The array that the region declares under a name.
    fn own_array(&self, name: &Name) -> Option<&Array> {
        let mut declared = self.scop.arrays.iter().filter(|array| array.declared_in_scop);
        declared.find(|array| !array.is_scalar() && array.tuple_name == *name)
    }

    /// Declares the arrays that each iteration of a loop has for itself, at the start of its body.
    pub(super) fn own_arrays(&mut self, names: &[Name]) -> Result<()> {
        let arrays: Vec<Array> =
            names.iter().filter_map(|name| self.own_array(name)).cloned().collect();
        self.writer.depth_in();
        for array in arrays {
            let line = format!("{};", self.declaration(&array)?);
            self.writer.line(&line);
        }
        self.writer.depth_out();
        Ok(())
    }

    /// Notes that a loop does not declare the arrays that its pragma is about.
    pub(super) fn without_own_arrays(&mut self, pragma: Option<&Pragma>) {
        self.in_front.extend(pragma.into_iter().flat_map(|pragma| pragma.arrays.iter().cloned()));
    }

    /// The declaration of a variable of the region. It stands in front of the conditions and loops in which
    /// the variable is used: where these are not reached its extents may be no sizes, and it has one element.
    fn declaration(&mut self, array: &Array) -> Result<String> {
        let is_number = |extent: &String| extent.parse::<u64>().is_ok();
        let mut array = array.clone();
        if !array.extent_texts.iter().all(is_number)
            && let Some(used) = self.where_used(&array)?
        {
            let extents = array.extent_texts.iter_mut().filter(|extent| !is_number(extent));
            extents.for_each(|extent| *extent = format!("{used} ? {extent} : 1"));
        }
        array.declaration(&array.tuple_name).ok_or_else(|| Error::Invalid {
            operation: "printing a region",
            reason: format!("the extents of `{}` are not known", array.name),
        })
    }

    /// The condition that a statement is executed which uses an array; none if one always is.
    fn where_used(&mut self, array: &Array) -> Result<Option<AstExpr>> {
        let uses = |s: &&Statement| {
            s.accesses.iter().any(|a| self.scop.array(a.array).tuple_name == array.tuple_name)
        };
        let statements = self.scop.statements.iter().filter(|statement| !statement.is_kill);
        let used = statements.filter(uses).map(|statement| statement.domain.params());
        let Some(used) = used.map(Ok).reduce(|a, b| a?.union(&b?)) else { return Ok(None) };
        let (used, context) = (used?, &self.scop.context);
        let budget = Budget::steps(SIMPLIFICATION_STEPS);
        match context.is_subset(&used, &budget) {
            Ok(true) => return Ok(None),
            Ok(false) | Err(Error::Exceeded { .. }) => {}
            Err(other) => return Err(other),
        }
        let used = match used.coalesce(&budget) {
            Err(Error::Exceeded { .. }) => used,
            other => other?,
        };
        let condition = Build::from_context(context)?.condition(&used)?;
        Ok(Some(self.lowering.lower(&condition)))
    }

    /// The declarations of the symbolic constants that a text mentions and that are no variables of the
    /// program.
    fn constants(&self, text: &str) -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words: HashSet<&str> = text.split(|c| !is_word(c)).collect();
        let declaration = |parameter: &Parameter| {
            let value = parameter.value.as_ref().filter(|_| words.contains(&*parameter.name))?;
            Some(format!("{} {} = {value};", parameter.c_type, parameter.name))
        };
        self.scop.parameters.iter().filter_map(declaration).collect()
    }
}
