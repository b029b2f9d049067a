//! Sizes of tiles that are variables of the result: declared in front of a region, with the values that the
//! run has chosen.
use loopwright_cfront::Region;
use loopwright_presburger::Name;

/// Functions that the declarations use, once for each file.
pub(crate) const HELPERS: &str = include_str!("tile_sizes.h");

/// A size of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TileVariable {
    /// The name of the variable.
    pub(crate) name: Name,
    /// The member of a band that it is for.
    pub(crate) member: usize,
    /// The size if the run chooses none.
    pub(crate) otherwise: i64,
}

/// What the names of sizes in a region begin with.
pub(crate) fn prefix(region: &Region) -> Name {
    let is_free = |prefix: &str| {
        let begins =
            |name: &String| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
        !region.used_names.iter().any(begins)
    };
    let numbered = (1..).map(|number| format!("tile{number}"));
    let mut names = std::iter::once("tile".to_string()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_else(|| "tile".to_string()).into()
}

/// A text that uses sizes, with their declarations in front.
pub(crate) fn around(variables: &[TileVariable], text: &str, indentation: &str) -> String {
    if variables.is_empty() {
        return text.to_string();
    }
    let declaration = |variable: &TileVariable| {
        let TileVariable { name, member, otherwise } = variable;
        format!("{indentation}const long {name} = loopwright_tile_size({member}, {otherwise});\n")
    };
    let declarations: String = variables.iter().map(declaration).collect();
    format!("{indentation}{{\n{declarations}{text}{indentation}}}\n")
}
