//! Fingerprint: a number that tells whether two worlds are the same, bit by bit.

use rapier3d::prelude::*;

/// The hash of Fowler, Noll and Vo (FNV-1a), the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds all bits of these values.
    pub fn add(&mut self, values: &[Real]) {
        self.add_bytes(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Adds another fingerprint.
    pub fn combine(&mut self, other: Self) {
        self.add_bytes(other.0.to_le_bytes());
    }

    fn add_bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds where all bodies are and how they move.
    pub fn add_bodies(&mut self, bodies: &RigidBodySet) {
        for (_, body) in bodies.iter() {
            self.add(&body.translation().to_array());
            self.add(&body.rotation().to_array());
            self.add(&body.linvel().to_array());
            self.add(&body.angvel().to_array());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_the_published_hash() {
        assert_eq!(Fingerprint::default().0, 0xcbf2_9ce4_8422_2325, "nothing");
        // The bytes of "abcd", as a little-endian number.
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(&[Real::from_bits(0x6463_6261)]);
        assert_eq!(fingerprint.0, 0xfc17_9f83_ee07_24dd);
    }

    #[test]
    fn every_bit_counts() {
        let of = |value: Real| {
            let mut fingerprint = Fingerprint::default();
            fingerprint.add(&[value]);
            fingerprint
        };
        assert_ne!(of(0.0), of(-0.0));
        assert_ne!(of(1.0), of(1.0_f32.next_up()));
    }
}
