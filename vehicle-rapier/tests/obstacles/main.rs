//! Wheels that meet what is in front of them.

mod company;
mod giving_way;
mod gone;
mod kerbs;
mod roads;
mod sideways;
mod tight_places;
