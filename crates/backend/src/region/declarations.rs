//! What is declared at the start of a region's text.
use super::Printer;
use loopwright_astgen::{AstExpr, AstNode, Build};
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scop::{Array, Parameter, Statement};
use std::collections::HashSet;

/// Steps that it may cost to find out when an array is used.
const SIMPLIFICATION_STEPS: u64 = 20_000;

impl Printer<'_> {
    /// A tree in a block with the variables that the region declares and the symbolic constants that it reads
    /// from memory; without a block if there are none.
    pub(super) fn block_with_declarations(&mut self, ast: &AstNode) -> Result<()> {
        let mut declarations = Vec::new();
        for array in self.scop.arrays.iter().filter(|array| array.declared_in_scop) {
            declarations.push(format!("{};", self.declaration(array)?));
        }
        if declarations.is_empty() && self.scop.parameters.iter().all(|p| p.value.is_none()) {
            return self.node(ast);
        }
        let inside = self.writer.inside();
        let outside = std::mem::replace(&mut self.writer, inside);
        self.node(ast)?;
        let inside = std::mem::replace(&mut self.writer, outside).finish();
        declarations.extend(self.constants(&inside));
        self.writer.line("{");
        self.writer.depth_in();
        declarations.iter().for_each(|declaration| self.writer.line(declaration));
        self.writer.depth_out();
        self.writer.lines(&inside);
        self.writer.line("}");
        Ok(())
    }

    /// The declaration of a variable of the region. It stands in front of the conditions and loops in which the
    /// variable is used: where these are not reached its extents may be no sizes, and it has one element.
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

    /// The declarations of the symbolic constants that a text mentions and that are no variables of the program.
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
