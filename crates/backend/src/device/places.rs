//! Where arrays lie in the memory of the program: variables, members of structures, and members of the
//! elements of an array.
use loopwright_scop::{Array, ArrayId, Element, Scop};

/// The place of an array, as the program writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostPlace {
    /// The address of its first element.
    pub(super) address: String,
    /// Its value, if it is a scalar.
    pub(super) value: String,
    /// The bytes from one value of a subscript to the next, for those between whose values structures lie: of
    /// `p[i].q[j].x` the sizes of `p[0]` and `p[0].q[0]`.
    pub(super) strides: Vec<String>,
}

impl HostPlace {
    /// That of an array, or in words why it has none.
    pub(super) fn of(scop: &Scop, id: ArrayId) -> Result<HostPlace, String> {
        let array = scop.array(id);
        if !array.is_member {
            return Ok(HostPlace::named(&array.name, array));
        }
        let bodies = scop.statements.iter().filter(|s| !s.is_kill).map(|s| &s.body);
        let mut elements = bodies.flat_map(|body| body.elements()).filter(|e| e.array == id);
        let first = elements.next();
        let Some(first) = first.filter(|first| elements.all(|other| other.base == first.base))
        else {
            return Err(format!("the member `{}` is reached in several ways", array.name));
        };
        let strange = || {
            format!(
                "`{}` is a member of a structure that is not reached by names and subscripts",
                array.name
            )
        };
        HostPlace::of_member(array, first).ok_or_else(strange)
    }

    fn named(name: &str, array: &Array) -> HostPlace {
        let address = if array.extents.is_empty() { format!("&{name}") } else { name.to_string() };
        HostPlace { address, value: name.to_string(), strides: Vec::new() }
    }

    /// That of a member by one of its elements: `s.a[..]`, `p[..].x`, `p[..][..].a[..]`, `p[..].q[..].x`.
    fn of_member(array: &Array, element: &Element) -> Option<HostPlace> {
        let (before, after) = element.base.parts();
        let is_path =
            |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.->[]".contains(c));
        if !is_path(before) {
            return None;
        }
        let Some((last, inner)) = after.split_last() else {
            return Some(HostPlace::named(before, array));
        };
        let is_inner = |text: &String| {
            let path = text.strip_prefix(']').and_then(|text| text.strip_suffix('['));
            path.is_some_and(|path| path.is_empty() || is_member_path(path))
        };
        let is_last =
            last.strip_prefix(']').is_some_and(|path| path.is_empty() || is_member_path(path));
        let n_strides = after.iter().rposition(|text| text.contains('.')).map_or(0, |at| at + 1);
        if !before.ends_with('[')
            || !inner.iter().all(is_inner)
            || !is_last
            || n_strides == 0
            || after.len() != array.extents.len()
        {
            return None;
        }
        let zeros = vec!["0".to_string(); after.len()];
        let first = element.base.with(&zeros);
        let to_subscript = |at: usize| {
            let inside: String = after[..at].iter().map(|text| format!("0{text}")).collect();
            format!("sizeof {before}{inside}0]")
        };
        let strides = (0..n_strides).map(to_subscript).collect();
        Some(HostPlace { address: format!("&{first}"), value: first, strides })
    }
}

/// Whether a text is that of a member: `.x`, or `.q.x`.
fn is_member_path(text: &str) -> bool {
    text.starts_with('.') && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// The name that the distance of structures along a subscript has in the function of a region.
pub(super) fn stride_name(array: &Array, subscript: usize) -> String {
    match subscript {
        0 => format!("lw_stride_{}", array.tuple_name),
        at => format!("lw_stride{at}_{}", array.tuple_name),
    }
}
