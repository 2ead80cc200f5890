//! Road tests: the default saloon on a proving ground, and what follows from its parts.

mod car;
mod cornering;
mod suspension;
