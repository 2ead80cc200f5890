//! Wheels that meet what is in front of them.

mod giving_way;
mod kerbs;
mod tight_places;
