//! Words of the reader's own for the numbers of blocks and threads and for sizes of types, which have other
//! forms in each language.
use super::state::KernelLanguage;
use loopwright_schedule::{Axis, LoopKind};

/// What the numbers of blocks and threads are called in each language, and here.
pub(super) const INDICES: [(&str, &str, &str); 4] = [
    ("blockIdx", "get_group_id", "reader_block"),
    ("threadIdx", "get_local_id", "reader_thread"),
    ("gridDim", "get_num_groups", "reader_blocks"),
    ("blockDim", "get_local_size", "reader_threads"),
];

/// The text with a word for each number of a block or thread, and for each size of a type; none if it has
/// such words already.
pub(super) fn with_words_for_indices(text: &str, language: KernelLanguage) -> Option<String> {
    if text.contains("reader_") {
        return None;
    }
    let mut result = text.to_string();
    for (cuda, opencl, word) in INDICES {
        for axis in Axis::ALL {
            let own = match language {
                KernelLanguage::Cuda => format!("{cuda}.{axis}"),
                KernelLanguage::OpenCl => format!("{opencl}({})", axis as usize),
            };
            result = result.replace(&own, &format!("{word}_{axis}"));
        }
    }
    Some(with_words_for_sizes(&result))
}

/// What the word for the size of a type begins with.
pub(super) const SIZE: &str = "reader_size_of_";

/// `reader_size_of_unsigned_int` in place of `sizeof(unsigned int)`.
pub(super) fn with_words_for_sizes(text: &str) -> String {
    let mut pieces = text.split("sizeof(");
    let mut result = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        match piece.split_once(')') {
            Some((name, rest)) if name.chars().all(|c| c.is_alphanumeric() || " _".contains(c)) => {
                result.push_str(&format!("{SIZE}{}{rest}", name.replace(' ', "_")));
            }
            _ => result.push_str(&format!("sizeof({piece}")),
        }
    }
    result
}

/// The word for the number of the block or thread.
pub(super) fn index_word(kind: LoopKind) -> Option<String> {
    of_kind(kind, "reader_block", "reader_thread")
}

/// The word for how many there are.
pub(super) fn count_word(kind: LoopKind) -> Option<String> {
    of_kind(kind, "reader_blocks", "reader_threads")
}

pub(super) fn of_kind(kind: LoopKind, block: &str, thread: &str) -> Option<String> {
    match kind {
        LoopKind::Block(axis) => Some(format!("{block}_{axis}")),
        LoopKind::Thread(axis) => Some(format!("{thread}_{axis}")),
        _ => None,
    }
}
