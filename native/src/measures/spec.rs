//! What is asked of `measure_queries`: one `Spec` per measure, with its tables.

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Dcg,
    Ndcg,
    MeanNdcg,
    Ap,
    Precision,
    Recall,
    Rr,
    Err,
    Kendall,
    Overlap,
    Auc,
}

/// What equal scores are worth. `Given` is the order they were put in: by row, or by `tiebreak`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ties {
    Expected,
    Worst,
    Input,
    DocId,
}

/// Labels that are whole numbers below this are looked up in tables.
pub const LEVELS: usize = 64;

pub struct Spec {
    pub kind: Kind,
    /// Cut-off; `usize::MAX` for none.
    pub k: usize,
    /// The smallest label that is relevant.
    pub rel: f32,
    pub ties: Ties,
    /// Value of a query with nothing to find.
    pub empty: f64,
    /// A list shorter than `k` is worth nothing.
    pub short_is_zero: bool,
    /// P@k of a list shorter than `k` divides by its length.
    pub short_is_cut: bool,
    /// AP@k divides by at most k.
    pub norm_cut: bool,
    gain: Gain,
    /// Gain (ERR: probability of a stop) of label 0, 1, ...
    table: Vec<f64>,
    pub letor_discount: bool,
}

enum Gain {
    Exp2,
    Identity,
    Table,
    /// (2^y − 1)/2^max
    Stop(f64),
}

/// The fields of a KernelSpec, in its order.
pub type Fields = (
    String,
    usize,
    f64,
    String,
    Vec<f64>,
    String,
    f64,
    String,
    f64,
    String,
    String,
);

impl Spec {
    pub fn new(fields: Fields) -> Result<Spec, String> {
        let (kind, k, rel, gain, gain_table, discount, max_label, ties, empty, short, norm) =
            fields;
        let kind = match kind.as_str() {
            "dcg" => Kind::Dcg,
            "ndcg" => Kind::Ndcg,
            "mean_ndcg" => Kind::MeanNdcg,
            "ap" => Kind::Ap,
            "precision" => Kind::Precision,
            "recall" => Kind::Recall,
            "rr" => Kind::Rr,
            "err" => Kind::Err,
            "kendall" => Kind::Kendall,
            "overlap" => Kind::Overlap,
            "auc" => Kind::Auc,
            other => return Err(format!("kernel measure {other:?} is not known")),
        };
        let ties = match ties.as_str() {
            "expected" => Ties::Expected,
            "worst" => Ties::Worst,
            "input" => Ties::Input,
            "docid" => Ties::DocId,
            other => return Err(format!("ties {other:?} is not known")),
        };
        let gain = match (kind, gain.as_str()) {
            (Kind::Err, _) => Gain::Stop(max_label),
            (_, "exp2") => Gain::Exp2,
            (_, "identity") => Gain::Identity,
            (_, "table") => Gain::Table,
            (_, other) => return Err(format!("gain {other:?} is not known")),
        };
        let mut spec = Spec {
            kind,
            k: if k == 0 { usize::MAX } else { k },
            rel: at_least(rel),
            ties,
            empty,
            short_is_zero: short == "zero" && k > 0, // no list is too short for no cut-off
            short_is_cut: short == "cut",
            norm_cut: norm == "cut",
            gain,
            table: gain_table,
            letor_discount: discount == "letor",
        };
        if !matches!(spec.gain, Gain::Table) {
            spec.table = (0..LEVELS).map(|y| spec.formula(y as f32)).collect();
        }
        Ok(spec)
    }

    fn formula(&self, label: f32) -> f64 {
        let y = f64::from(label);
        match self.gain {
            Gain::Exp2 => y.exp2() - 1.0,
            Gain::Stop(max) => (y.exp2() - 1.0) / max.exp2(),
            Gain::Identity | Gain::Table => y,
        }
    }

    /// The gain of a label. Labels beyond a table are refused at the Python door; here they get the last entry.
    #[inline]
    pub fn gain(&self, label: f32) -> f64 {
        let level = label as usize; // saturates: negatives and NaN become 0
        match self.table.get(level) {
            Some(&gain) if level as f32 == label => gain,
            _ if matches!(self.gain, Gain::Table) => self.table.last().copied().unwrap_or(0.0),
            _ => self.formula(label),
        }
    }

    #[inline]
    pub fn is_relevant(&self, label: f32) -> bool {
        label >= self.rel
    }

    /// How many ranks its value depends on.
    pub fn depth(&self) -> usize {
        match self.kind {
            Kind::Kendall | Kind::Auc | Kind::MeanNdcg => usize::MAX,
            _ => self.k,
        }
    }
}

/// The smallest single-precision number not below `x`, so that comparing labels with it is comparing them with `x`.
fn at_least(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) >= x || near.is_nan() {
        near
    } else if near > 0.0 {
        f32::from_bits(near.to_bits() + 1)
    } else if near == 0.0 {
        f32::from_bits(1)
    } else {
        f32::from_bits(near.to_bits() - 1)
    }
}
