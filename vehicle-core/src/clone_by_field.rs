//! Copies into the memory that is there.

/// `Clone` field by field, with a `clone_from` that does the same: a derived one lets go of the
/// memory of lists.
#[doc(hidden)]
#[macro_export]
macro_rules! clone_by_field {
    (impl[$($bounds:tt)*] $type:ty { $($field:ident),* $(,)? }) => {
        impl<$($bounds)*> Clone for $type {
            #[inline]
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone(),)* }
            }

            #[inline]
            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)*
            }
        }
    };
}
