//! The kinds of nodes of syntax trees, and the places that nodes have in their parents.
//!
//! They have the names of tree-sitter's grammar of C.

/// Defines [`Kind`], and the macro `token!` for the kinds of signs and words.
macro_rules! kinds {
    (
        nodes { $($(#[$about:meta])* $node:ident = $node_name:literal,)* }
        tokens { $($token:ident = $sign:tt,)* }
    ) => {
        /// What a node is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Kind {
            $($(#[$about])* $node,)*
            $($token,)*
        }

        impl Kind {
            /// All kinds, in order.
            pub(crate) const ALL: &[Kind] = &[$(Kind::$node,)* $(Kind::$token,)*];

            /// What the grammar calls it.
            pub(crate) fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($node_name,)* $($sign,)*];
                NAMES[self as usize]
            }
        }

        /// The kind of a sign, or of a word that has a kind of its own.
        macro_rules! token {
            $(($sign) => { $crate::syntax::kind::Kind::$token };)*
        }
    };
}

kinds! {
    nodes {
        /// Text that is not understood.
        Error = "ERROR",
        AbstractArrayDeclarator = "abstract_array_declarator",
        AbstractFunctionDeclarator = "abstract_function_declarator",
        AbstractParenthesizedDeclarator = "abstract_parenthesized_declarator",
        AbstractPointerDeclarator = "abstract_pointer_declarator",
        AlignasQualifier = "alignas_qualifier",
        AlignofExpression = "alignof_expression",
        ArgumentList = "argument_list",
        ArrayDeclarator = "array_declarator",
        AssignmentExpression = "assignment_expression",
        Attribute = "attribute",
        AttributeDeclaration = "attribute_declaration",
        AttributeSpecifier = "attribute_specifier",
        AttributedDeclarator = "attributed_declarator",
        AttributedStatement = "attributed_statement",
        BinaryExpression = "binary_expression",
        BitfieldClause = "bitfield_clause",
        BreakStatement = "break_statement",
        CallExpression = "call_expression",
        CaseStatement = "case_statement",
        CastExpression = "cast_expression",
        CharLiteral = "char_literal",
        CommaExpression = "comma_expression",
        CompoundLiteralExpression = "compound_literal_expression",
        CompoundStatement = "compound_statement",
        ConcatenatedString = "concatenated_string",
        ConditionalExpression = "conditional_expression",
        ContinueStatement = "continue_statement",
        Declaration = "declaration",
        DoStatement = "do_statement",
        ElseClause = "else_clause",
        EnumSpecifier = "enum_specifier",
        Enumerator = "enumerator",
        EnumeratorList = "enumerator_list",
        ExpressionStatement = "expression_statement",
        ExtensionExpression = "extension_expression",
        False = "false",
        FieldDeclaration = "field_declaration",
        FieldDeclarationList = "field_declaration_list",
        FieldDesignator = "field_designator",
        FieldExpression = "field_expression",
        FieldIdentifier = "field_identifier",
        ForStatement = "for_statement",
        FunctionDeclarator = "function_declarator",
        FunctionDefinition = "function_definition",
        GenericExpression = "generic_expression",
        GnuAsmExpression = "gnu_asm_expression",
        GotoStatement = "goto_statement",
        Identifier = "identifier",
        IfStatement = "if_statement",
        InitDeclarator = "init_declarator",
        InitializerList = "initializer_list",
        InitializerPair = "initializer_pair",
        LabeledStatement = "labeled_statement",
        MacroTypeSpecifier = "macro_type_specifier",
        Null = "null",
        NumberLiteral = "number_literal",
        OffsetofExpression = "offsetof_expression",
        ParameterDeclaration = "parameter_declaration",
        ParameterList = "parameter_list",
        ParenthesizedDeclarator = "parenthesized_declarator",
        ParenthesizedExpression = "parenthesized_expression",
        PointerDeclarator = "pointer_declarator",
        PointerExpression = "pointer_expression",
        PrimitiveType = "primitive_type",
        RangeExpression = "range_expression",
        ReturnStatement = "return_statement",
        SizedTypeSpecifier = "sized_type_specifier",
        SizeofExpression = "sizeof_expression",
        StatementIdentifier = "statement_identifier",
        StorageClassSpecifier = "storage_class_specifier",
        StringLiteral = "string_literal",
        StructSpecifier = "struct_specifier",
        SubscriptDesignator = "subscript_designator",
        SubscriptExpression = "subscript_expression",
        SubscriptRangeDesignator = "subscript_range_designator",
        SwitchStatement = "switch_statement",
        TranslationUnit = "translation_unit",
        True = "true",
        TypeDefinition = "type_definition",
        TypeDescriptor = "type_descriptor",
        TypeIdentifier = "type_identifier",
        TypeQualifier = "type_qualifier",
        UnaryExpression = "unary_expression",
        UnionSpecifier = "union_specifier",
        UpdateExpression = "update_expression",
        VariadicParameter = "variadic_parameter",
        WhileStatement = "while_statement",
        /// A word whose nodes no code tells from those of others.
        Word = "word",
        /// What is no token of C.
        Unknown = "unknown",
        /// The end of the text.
        End = "end",
    }
    tokens {
        OpeningBrace = "{",
        ClosingBrace = "}",
        OpeningParenthesis = "(",
        ClosingParenthesis = ")",
        OpeningBracket = "[",
        ClosingBracket = "]",
        Semicolon = ";",
        Comma = ",",
        Dot = ".",
        Ellipsis = "...",
        Arrow = "->",
        PlusPlus = "++",
        MinusMinus = "--",
        Plus = "+",
        Minus = "-",
        Star = "*",
        Slash = "/",
        Percent = "%",
        ShiftLeft = "<<",
        ShiftRight = ">>",
        And = "&",
        Caret = "^",
        Bar = "|",
        Assign = "=",
        PlusAssign = "+=",
        MinusAssign = "-=",
        StarAssign = "*=",
        SlashAssign = "/=",
        PercentAssign = "%=",
        ShiftLeftAssign = "<<=",
        ShiftRightAssign = ">>=",
        AndAssign = "&=",
        CaretAssign = "^=",
        BarAssign = "|=",
        Equal = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        AndAnd = "&&",
        BarBar = "||",
        Not = "!",
        Tilde = "~",
        Question = "?",
        Colon = ":",
        If = "if",
        Else = "else",
        Switch = "switch",
        Case = "case",
        Default = "default",
        While = "while",
        Do = "do",
        For = "for",
        Return = "return",
        Break = "break",
        Continue = "continue",
        Goto = "goto",
        Sizeof = "sizeof",
        Extension = "__extension__",
        Typedef = "typedef",
        Generic = "_Generic",
        RealPart = "__real__",
        RealPartShort = "__real",
        ImaginaryPart = "__imag__",
        ImaginaryPartShort = "__imag",
        Struct = "struct",
        Union = "union",
        Enum = "enum",
        Static = "static",
        Offsetof = "offsetof",
    }
}

/// The place of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Field {
    /// None with a name.
    None,
    Alternative,
    Argument,
    Arguments,
    Body,
    Condition,
    Consequence,
    Declarator,
    Designator,
    End,
    Function,
    Index,
    Initializer,
    Label,
    Left,
    Member,
    /// The name of the member, of an access (`field`).
    MemberName,
    Name,
    Operator,
    Parameters,
    Prefix,
    Right,
    Size,
    Start,
    Type,
    Update,
    Value,
}

impl Kind {
    /// Whether it is an expression with parts.
    pub(crate) fn is_expression(self) -> bool {
        self.name().ends_with("_expression")
    }

    /// Whether it is a statement other than a declaration.
    pub(crate) fn is_statement(self) -> bool {
        self.name().ends_with("_statement")
    }

    /// Whether it is part of what declares a name.
    pub(crate) fn is_declarator(self) -> bool {
        self.name().ends_with("declarator")
    }

    /// Whether it is an attribute.
    pub(crate) fn is_attribute(self) -> bool {
        self.name().contains("attribute")
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
