use super::Arrangement;
use super::cells::{Bits, Count, Stopped, Task, independent_columns, with_cells};
use std::sync::atomic::AtomicBool;
use rayon::prelude::*;

impl Arrangement<'_> {
    pub fn quick(&self) -> Vec<u64> {
        let stop = AtomicBool::new(false);
        let columns = independent_columns(self);
        with_cells(&columns, self.features().rows(), &[], &stop, |cells| {
            let tasks = cells.tasks();
            let parts: Vec<Vec<u64>> = tasks.par_iter().map(|t| { let mut b = Bits::default(); cells.run(t, &mut b); b.0 }).collect();
            parts.concat()
        }).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;
    #[test]
    fn quick_titanic() {
        let t: Vec<f64> = [[1,0,0],[1,0,1],[1,1,0],[1,1,1],[2,0,0],[2,0,1],[2,1,0],[2,1,1],[3,0,0],[3,0,1],[3,1,0],[3,1,1],[4,0,0],[4,0,1]].iter().flatten().map(|&x| f64::from(x)).collect();
        let f = Features::new(14, 3, t).unwrap();
        assert_eq!(Arrangement::of(&f).quick().len(), 221);
        let f = Features::new(3, 1, vec![-1.0,0.0,1.0]).unwrap();
        assert_eq!(Arrangement::of(&f).quick().len(), 3);
    }
}
