//! The rows that sets, relations and the unions of both share.

/// A table with the rows that all of them have, and further ones.
macro_rules! all_rows {
    ($(#[$doc:meta])* $table:ident: $kind:ty; $($further:tt)*) => {
        crate::replay::operation::operations! {
            $(#[$doc])*
            $table: $kind;
            is_empty(o; a) => a.is_empty(o.budget)?;
            is_subset(o; a, b: $kind) => a.is_subset(b, o.budget)?;
            is_equal(o; a, b: $kind) => a.is_equal(b, o.budget)?;
            is_disjoint(o; a, b: $kind) => a.is_disjoint(b, o.budget)?;
            is_strict_subset(o; a, b: $kind) => a.is_strict_subset(b, o.budget)?;

            intersect(o; a, b: $kind) => a.intersect_within(b, o.budget)?;
            intersect_params(o; a, b: Set) => a.intersect_params_within(b, o.budget)?;
            union(o; a, b: $kind) => a.union(b)?;
            subtract(o; a, b: $kind) => a.subtract(b, o.budget)?;
            product(o; a, b: $kind) => a.product_within(b, o.budget)?;
            params(o; a) => a.params();

            coalesce(o; a) => a.coalesce(o.budget)?;
            make_locals_explicit(o; a) => a.make_locals_explicit(o.budget)?;
            detect_equalities(o; a) => a.detect_equalities(o.budget)?;
            make_disjoint(o; a) => a.make_disjoint(o.budget)?;
            remove_redundancies(o; a) => a.remove_redundancies(o.budget)?;
            gist(o; a, b: $kind) => a.gist(b, o.budget)?;
            gist_params(o; a, b: Set) => a.gist_params(b, o.budget)?;

            affine_hull(o; a) => a.affine_hull(o.budget)?;
            polyhedral_hull(o; a) => a.polyhedral_hull(o.budget)?;
            simple_hull(o; a) => a.simple_hull(o.budget)?;
            lexmin(o; a) => a.lexmin(o.budget)?;
            lexmax(o; a) => a.lexmax(o.budget)?;
            $($further)*
        }
    };
}

/// A table of relations whose domains are of the type `set`, with the rows that all of them have,
/// and further ones.
macro_rules! relation_rows {
    ($(#[$doc:meta])* $table:ident: $kind:ty, $set:ty; $($further:tt)*) => {
        crate::replay::shared_rows::all_rows! {
            $(#[$doc])*
            $table: $kind;
            is_single_valued(o; a) => a.is_single_valued(o.budget)?;
            is_injective(o; a) => a.is_injective(o.budget)?;
            is_bijective(o; a) => a.is_bijective(o.budget)?;

            intersect_domain(o; a, b: $set) => a.intersect_domain_within(b, o.budget)?;
            intersect_range(o; a, b: $set) => a.intersect_range_within(b, o.budget)?;
            subtract_domain(o; a, b: $set) => a.subtract_domain(b, o.budget)?;
            subtract_range(o; a, b: $set) => a.subtract_range(b, o.budget)?;
            gist_domain(o; a, b: $set) => a.gist_domain(b, o.budget)?;
            gist_range(o; a, b: $set) => a.gist_range(b, o.budget)?;

            domain(o; a) => a.domain();
            range(o; a) => a.range();
            reverse(o; a) => a.reverse();
            deltas(o; a) => a.deltas()?;
            deltas_map(o; a) => a.deltas_map()?;

            apply_range(o; a, b: $kind) => a.apply_range_within(b, o.budget)?;
            apply_domain(o; a, b: $kind) => a.apply_domain_within(b, o.budget)?;
            range_product(o; a, b: $kind) => a.range_product_within(b, o.budget)?;
            domain_product(o; a, b: $kind) => a.domain_product_within(b, o.budget)?;
            flat_range_product(o; a, b: $kind) => a.flat_range_product_within(b, o.budget)?;
            transitive_closure(o; a) => a.transitive_closure(o.budget)?;
            $($further)*
        }
    };
}

pub(crate) use {all_rows, relation_rows};
