//! What is declared at the start of a region's text.
use super::Printer;
use loopwright_astgen::AstNode;
use loopwright_presburger::{Error, Result};
use loopwright_scop::Parameter;
use std::collections::HashSet;

impl Printer<'_> {
    /// A tree in a block with the variables that the region declares and the symbolic constants that it reads
    /// from memory; without a block if there are none.
    pub(super) fn block_with_declarations(&mut self, ast: &AstNode) -> Result<()> {
        let mut declarations = Vec::new();
        for array in self.scop.arrays.iter().filter(|array| array.declared_in_scop) {
            let declaration =
                array.declaration(&array.tuple_name).ok_or_else(|| Error::Invalid {
                    operation: "printing a region",
                    reason: format!("the extents of `{}` are not known", array.name),
                })?;
            declarations.push(format!("{declaration};"));
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
