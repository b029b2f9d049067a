//! Where arrays lie in the memory of the program: variables, members of structures, and members of the elements of an array.
use loopwright_scop::{Array, ArrayId, Element, Scop};

/// The place of an array, as the program writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostPlace {
    /// The address of its first element.
    pub(super) address: String,
    /// Its value, if it is a scalar.
    pub(super) value: String,
    /// The bytes from one first subscript to the next, where structures lie between them: of `p[i].x` the size of `p[0]`.
    pub(super) stride: Option<String>,
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
                "`{}` is a member of a structure that is not reached by names and one subscript",
                array.name
            )
        };
        HostPlace::of_member(array, first).ok_or_else(strange)
    }

    fn named(name: &str, array: &Array) -> HostPlace {
        let address = if array.extents.is_empty() { format!("&{name}") } else { name.to_string() };
        HostPlace { address, value: name.to_string(), stride: None }
    }

    /// That of a member by one of its elements: `s.a[..]`, `p[..].x`, `p[..].a[..]`.
    fn of_member(array: &Array, element: &Element) -> Option<HostPlace> {
        let (before, after) = element.base.parts();
        let is_path =
            |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.->[]".contains(c));
        if !is_path(before) {
            return None;
        }
        let [member, rest @ ..] = after else { return Some(HostPlace::named(before, array)) };
        let path = member.strip_prefix("].")?.trim_end_matches('[');
        let is_name = path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        let are_rows = match rest {
            [] => !member.ends_with('['),
            [middle @ .., last] => {
                member.ends_with('[') && middle.iter().all(|text| text == "][") && last == "]"
            }
        };
        if !is_name || !are_rows || after.len() != array.extents.len() {
            return None;
        }
        let zeros = vec!["0".to_string(); after.len()];
        let first = element.base.with(&zeros);
        let stride = Some(format!("sizeof {before}0]"));
        Some(HostPlace { address: format!("&{first}"), value: first, stride })
    }
}

/// The name that the distance of structures has in the function of a region.
pub(super) fn stride_name(array: &Array) -> String {
    format!("lw_stride_{}", array.tuple_name)
}
