//! What the next tokens begin, as far as names of types and the signs after them tell.
use super::Parser;
use super::lexer::Token;
use super::token_class::Class;
use crate::syntax::kind::Kind;

impl Parser<'_> {
    /// Whether a token is a keyword that begins a type.
    fn is_type_word(token: Token) -> bool {
        matches!(
            token.class,
            Class::Primitive | Class::Size | Class::Tag | Class::Typeof | Class::AlignAs
        ) || token.class == Class::Qualifier && token.kind != token!("__extension__")
    }

    /// Whether the token some places further is known to be a name of a type.
    pub(super) fn is_type_name(&self, offset: usize) -> Option<bool> {
        match self.token(offset).class {
            Class::Identifier => self.names.is_type(self.text(offset)),
            _ => Some(false),
        }
    }

    /// Whether the next token is a word that C23 and headers define and that older programs declare.
    pub(super) fn is_name_or_constant(&self) -> bool {
        matches!(self.kind(), Kind::True | Kind::False)
    }

    /// Whether a declaration or function begins at the next token.
    pub(super) fn begins_declaration(&self) -> bool {
        let mut offset = 0;
        while self.token(offset).kind == token!("__extension__") {
            offset += 1;
        }
        self.begins_declaration_at(offset)
    }

    pub(super) fn begins_declaration_at(&self, offset: usize) -> bool {
        let token = self.token(offset);
        match token.class {
            Class::Storage | Class::Attribute => true,
            Class::Keyword => token.kind == token!("typedef"),
            Class::Identifier => match self.names.is_type(self.text(offset)) {
                Some(is_type) => is_type,
                None => self.is_likely_type(offset),
            },
            _ => Self::is_type_word(token),
        }
    }

    /// Whether a name that nothing declares is followed by what is declared with it: a name, or a pointer in
    /// front of what can follow a declared name.
    fn is_likely_type(&self, offset: usize) -> bool {
        let mut next = offset + 1;
        if self.token(next).class == Class::Identifier {
            return true;
        }
        if self.token(next).kind != token!("*") {
            return Self::is_type_word(self.token(next));
        }
        while self.token(next).kind == token!("*") || self.token(next).class == Class::Qualifier {
            next += 1;
        }
        let follows = self.token(next + 1).kind;
        self.token(next).class == Class::Identifier
            && matches!(
                follows,
                token!(";") | token!("=") | token!(",") | token!("[") | token!("(") | token!(")")
            )
    }

    /// Whether a type stands at a token after an opening parenthesis.
    pub(super) fn begins_type(&self, offset: usize) -> bool {
        let token = self.token(offset);
        if token.class != Class::Identifier {
            return Self::is_type_word(token);
        }
        match self.names.is_type(self.text(offset)) {
            Some(is_type) => is_type,
            None => self.is_likely_cast(offset),
        }
    }

    /// Whether a name that nothing declares, in parentheses, is a type: with `*` after it, or in front of
    /// what cannot follow an expression.
    fn is_likely_cast(&self, offset: usize) -> bool {
        let mut next = offset + 1;
        let is_pointer = self.token(next).kind == token!("*");
        while self.token(next).kind == token!("*") || self.token(next).class == Class::Qualifier {
            next += 1;
        }
        if self.token(next).kind != token!(")") {
            return false;
        }
        let follows = self.token(next + 1);
        let begins_operand =
            matches!(follows.class, Class::Identifier | Class::Number | Class::Character)
                || matches!(follows.class, Class::Text | Class::Constant)
                || matches!(
                    follows.kind,
                    token!("!") | token!("~") | token!("{") | token!("sizeof")
                );
        is_pointer || begins_operand
    }

    /// Whether the next token can be the first of a statement or declaration.
    pub(super) fn begins_a_line(&self) -> bool {
        self.token(0).is_word()
            || matches!(
                self.kind(),
                token!("{") | token!("}") | token!("*") | token!("++") | token!("--") | token!("(")
            )
    }
}
