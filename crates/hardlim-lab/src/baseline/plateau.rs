//! A learning rate that falls by a factor after some epochs without progress.

/// The relative improvement that counts as progress.
const THRESHOLD: f64 = 1e-4;

/// The learning rate, and the progress so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plateau {
    pub(crate) rate: f64,
    patience: usize,
    factor: f64,
    best: f64,
    waited: usize,
}

impl Plateau {
    pub(crate) fn new(rate: f64, patience: usize, factor: f64) -> Self {
        Self { rate, patience, factor, best: f64::INFINITY, waited: 0 }
    }

    /// Updates the rate after an epoch with this loss.
    pub(crate) fn see(&mut self, loss: f64) {
        if loss < self.best * (1.0 - THRESHOLD) {
            (self.best, self.waited) = (loss, 0);
            return;
        }
        self.waited += 1;
        if self.waited > self.patience {
            (self.rate, self.waited) = (self.rate * self.factor, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_when_patience_ends() {
        let mut plateau = Plateau::new(1.0, 2, 0.5);
        for loss in [5.0, 4.0, 4.0, 3.9999, 3.0, 3.0, 3.0] {
            plateau.see(loss);
            assert_eq!(plateau.rate, 1.0);
        }
        plateau.see(3.0);
        assert_eq!(plateau.rate, 0.5);
    }
}
