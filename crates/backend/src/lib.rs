//! Abstract syntax trees and statement bodies to program text.
