//! Copies into the memory that is there.

/// `Clone` field by field, with a `clone_from` that does the same: a derived one lets go of the
/// memory of lists. Fields behind the name of a function are copied by it.
#[doc(hidden)]
#[macro_export]
macro_rules! clone_by_field {
    (
        impl[$($bounds:tt)*] $type:ty { $($field:ident),* $(,)? }
        $($copy:ident { $($list:ident),* $(,)? })?
    ) => {
        impl<$($bounds)*> Clone for $type {
            #[inline]
            fn clone(&self) -> Self {
                Self {
                    $($field: self.$field.clone(),)*
                    $($($list: self.$list.clone(),)*)?
                }
            }

            #[inline]
            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)*
                $($($copy(&mut self.$list, &source.$list);)*)?
            }
        }
    };
}
