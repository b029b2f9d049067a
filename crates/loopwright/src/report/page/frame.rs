//! The axes of a picture of instances.
use crate::report::page::markup::escape;
use std::fmt::Write;

/// A point of a picture: right, down.
pub(crate) type Place = (i64, i64);

/// The pixels that a value at the upper side takes.
const LABEL_WIDTH: i64 = 28;

/// The pixels that a value at the left side takes.
const LABEL_HEIGHT: i64 = 14;

/// The picture's least and greatest values.
pub(crate) struct Frame {
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
    /// The pixels of a value.
    pub(crate) cell: i64,
    /// The iterations of a value, and the iteration at value 0.
    step: i64,
    origin: Place,
}

impl Frame {
    pub(crate) fn of(places: &[Place], cell: i64) -> Option<Frame> {
        Some(Frame {
            left: places.iter().map(|p| p.0).min()?,
            right: places.iter().map(|p| p.0).max()?,
            top: places.iter().map(|p| p.1).min()?,
            bottom: places.iter().map(|p| p.1).max()?,
            cell,
            step: 1,
            origin: (0, 0),
        })
    }

    /// The same for values that stand for `step` iterations each, beginning with `origin`.
    pub(crate) fn with_steps(self, step: i64, origin: Place) -> Frame {
        Frame { step, origin, ..self }
    }

    /// The corner at the left and top of a value's cell.
    pub(crate) fn corner(&self, place: Place) -> (i64, i64) {
        let (x, y) = self.at(place);
        (x - self.cell / 2, y - self.cell / 2)
    }

    /// The middle of a cell.
    pub(crate) fn at(&self, (x, y): Place) -> (i64, i64) {
        let half = self.cell / 2;
        (46 + (x - self.left) * self.cell + half, 26 + (y - self.top) * self.cell + half)
    }

    fn size(&self) -> (i64, i64) {
        let (x, y) = self.at((self.right, self.bottom));
        (x + self.cell / 2 + 12, y + self.cell / 2 + 12)
    }

    /// From one labelled value to the next: at least `least` values and `pixels`.
    fn distance(&self, least: i64, pixels: i64) -> i64 {
        least.max((pixels + self.cell - 1) / self.cell.max(1))
    }

    /// The start of the picture with names and values along both sides.
    pub(crate) fn open(&self, label: &str, right: &str, down: Option<&str>) -> String {
        let (width, height) = self.size();
        let mut svg = format!(
            "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n",
            escape(label)
        );
        let every = self.distance((self.right - self.left) / 8 + 1, LABEL_WIDTH);
        for x in (self.left..=self.right).step_by(every as usize) {
            let (at, _) = self.at((x, self.top));
            let x = self.origin.0 + x * self.step;
            let _ = writeln!(svg, "<text x=\"{at}\" y=\"20\" text-anchor=\"middle\">{x}</text>");
        }
        let _ = writeln!(svg, "<text x=\"8\" y=\"11\" class=\"muted\">{} →</text>", escape(right));
        if let Some(down) = down {
            let every = self.distance((self.bottom - self.top) / 12 + 1, LABEL_HEIGHT);
            for y in (self.top..=self.bottom).step_by(every as usize) {
                let at = self.at((self.left, y)).1 + 4;
                let y = self.origin.1 + y * self.step;
                let _ = writeln!(svg, "<text x=\"40\" y=\"{at}\" text-anchor=\"end\">{y}</text>");
            }
            let _ = writeln!(svg, "<text x=\"8\" y=\"{}\">{} ↓</text>", height - 3, escape(down));
        }
        svg
    }
}
