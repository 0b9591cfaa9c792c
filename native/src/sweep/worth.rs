//! What a line is worth where it stands. For every measure here the value of a ranking is a sum over its lines, and
//! the worth of one depends only on what stands above it as a *set*: how many documents, how many of them relevant,
//! the chance of reading past them all. So an exchange of two neighbours changes the worth of those two alone.

use super::lines::Field;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Σ gain × discount: DCG, nDCG, precision, recall, overlap.
    Gain,
    /// Σ over relevant documents of the precision at their rank.
    Ap,
    /// 1/rank of the first relevant document.
    Rr,
    /// Expected reciprocal rank.
    Err,
    /// ½ Σ over pairs of documents of sign(label above − label below): Kendall's τ and AUC up to a constant.
    Pairs,
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Kind, String> {
        match name {
            "gain" => Ok(Kind::Gain),
            "ap" => Ok(Kind::Ap),
            "rr" => Ok(Kind::Rr),
            "err" => Ok(Kind::Err),
            "pairs" => Ok(Kind::Pairs),
            other => Err(format!("worth {other:?} is not known")),
        }
    }
}

pub struct Worth<'a> {
    pub kind: Kind,
    /// Per document: gain; 1 for relevant; probability of a stop; label.
    pub value: &'a [f64],
    /// Per query, what sums are multiplied by (0: the query does not move) and what is added.
    pub scale: &'a [f64],
    pub offset: &'a [f64],
    /// By rank; with `discount_by_row` one list per query, laid out as the documents are.
    pub discount: &'a [f64],
    pub discount_by_row: bool,
    /// Ranks that count.
    pub depth: usize,
    /// Fixed-point units in 1.
    pub unit: f64,
}

/// What stands above a line.
#[derive(Clone, Copy, Default)]
pub struct Above {
    pub docs: usize,
    pub relevant: usize,
    pub reading: f64,
}

impl Worth<'_> {
    /// A value in whole units; cut, not rounded, which is one instruction.
    pub fn fixed(&self, value: f64) -> i64 {
        (value * self.unit) as i64
    }

    /// The chance of reading on is a product along the list, which only a list in order can keep.
    pub fn needs_order(&self) -> bool {
        self.kind == Kind::Err
    }

    pub fn by_pairs_only(&self) -> bool {
        self.kind == Kind::Pairs
    }

    pub fn discounts(&self, from: usize, n_docs: usize) -> &[f64] {
        if self.discount_by_row {
            &self.discount[from..from + n_docs]
        } else {
            self.discount
        }
    }

    /// Fills in what each line is worth before its place is known.
    pub fn value_lines(&self, from: usize, field: &mut Field) {
        let n = field.a.len();
        field.value.clear();
        field.valued.clear();
        field.reading.clear();
        for line in 0..n {
            let first = field.first[line] as usize;
            let rows = &mut field.rows[first..first + field.size[line] as usize];
            let of = |row: u32| self.value[from + row as usize];
            let sum: f64 = rows.iter().map(|&row| of(row)).sum();
            let value = match self.kind {
                Kind::Gain => sum / rows.len() as f64,
                Kind::Ap | Kind::Rr => sum,
                Kind::Err => {
                    if field.reading.len() < first + line + rows.len() + 1 {
                        field.reading.resize(first + line + rows.len() + 1, 0.0);
                    }
                    mean_products(
                        rows.iter().map(|&row| 1.0 - of(row)),
                        &mut field.reading[first + line..],
                    );
                    sum
                }
                Kind::Pairs => {
                    rows.sort_unstable_by(|&x, &y| of(x).total_cmp(&of(y)));
                    of(rows[0])
                }
            };
            field.value.push(value);
        }
        match self.kind {
            Kind::Pairs => self.lines_unlike_most(from, field),
            _ => field
                .valued
                .extend((0..n as u32).filter(|&i| field.value[i as usize] != 0.0)),
        }
    }

    /// For pairs: a pair of lines that both hold only the commonest label never matters.
    fn lines_unlike_most(&self, from: usize, field: &mut Field) {
        let label = |row: &u32| self.value[from + *row as usize];
        let mut labels: Vec<f64> = field.rows.iter().map(label).collect();
        labels.sort_unstable_by(f64::total_cmp);
        let common = labels
            .chunk_by(|x, y| x == y)
            .max_by_key(|run| run.len())
            .map_or(0.0, |run| run[0]);
        for line in 0..field.a.len() {
            let (first, size) = (field.first[line] as usize, field.size[line] as usize);
            if field.rows[first..first + size]
                .iter()
                .any(|row| label(row) != common)
            {
                field.valued.push(line as u32);
            }
        }
    }

    /// The worth of a line under what stands above it.
    #[inline]
    pub fn of(&self, field: &Field, discount: &[f64], line: usize, above: Above) -> f64 {
        let value = field.value[line];
        let (t, size) = (above.docs, field.size[line] as usize);
        if value == 0.0 || t >= self.depth {
            return 0.0;
        }
        let places = t..(t + size).min(self.depth);
        match self.kind {
            Kind::Gain if size == 1 => value * discount[t],
            Kind::Gain => value * discount[places].iter().sum::<f64>(),
            Kind::Ap => {
                let share = value / size as f64;
                let step = (value - 1.0) / (size.max(2) - 1) as f64;
                let found = above.relevant as f64 + 1.0;
                share
                    * places
                        .map(|i| (found + (i - t) as f64 * step) / (i + 1) as f64)
                        .sum::<f64>()
            }
            Kind::Rr if above.relevant > 0 => 0.0,
            Kind::Rr => first_found(size, value as usize, places),
            Kind::Err => {
                let reading = &field.reading[field.first[line] as usize + line..];
                let stops = |i: usize| (reading[i - t] - reading[i - t + 1]) / (i + 1) as f64;
                above.reading * places.map(stops).sum::<f64>()
            }
            Kind::Pairs => 0.0,
        }
    }

    /// The chance of reading past a whole line.
    pub fn past(&self, field: &Field, line: usize) -> f64 {
        match self.kind {
            Kind::Err => field.reading[(field.first[line] + field.size[line]) as usize + line],
            _ => 1.0,
        }
    }
}

/// Σ P(the first of r relevant documents among g tied ones is the i-th)/rank.
fn first_found(size: usize, relevant: usize, places: std::ops::Range<usize>) -> f64 {
    let mut chance = relevant as f64 / size as f64;
    let mut sum = 0.0;
    for (i, place) in places.take(size - relevant + 1).enumerate() {
        sum += chance / (place + 1) as f64;
        chance *= (size - i - relevant) as f64 / (size - i - 1).max(1) as f64;
    }
    sum
}

/// For i = 0..=n, the mean over all subsets of i elements of their product.
fn mean_products(values: impl Iterator<Item = f64>, out: &mut [f64]) {
    out[0] = 1.0;
    for (j, value) in (1..).zip(values) {
        out[j] = 0.0;
        for i in (1..=j).rev() {
            out[i] = ((j - i) as f64 * out[i] + i as f64 * value * out[i - 1]) / j as f64;
        }
    }
}
