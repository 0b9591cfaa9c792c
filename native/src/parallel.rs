//! Threads: one pool per (process, size), so that a forked child never waits on its parent's threads.

use rayon::ThreadPool;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

fn pool(n_threads: usize) -> Arc<ThreadPool> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let mut pools = POOLS
        .get_or_init(Default::default)
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    pools
        .entry((std::process::id(), n_threads))
        .or_insert_with(|| {
            let built = rayon::ThreadPoolBuilder::new()
                .num_threads(n_threads)
                .build();
            Arc::new(built.expect("the operating system refused a thread"))
        })
        .clone()
}

/// Runs `work` where rayon's parallel iterators use `n_threads` threads; with one, on the caller's own thread.
pub fn with_threads<R: Send>(n_threads: usize, work: impl FnOnce() -> R + Send) -> R {
    pool(n_threads.max(1)).install(work)
}

/// Hands items to threads one by one: whoever is free takes the next. The caller's own thread is one of them and
/// begins at once, while the others wake. `room` is what a thread needs beside the items.
pub fn share<I: Iterator + Send, R>(
    n_threads: usize,
    items: I,
    room: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, I::Item) + Sync,
) {
    let items = Mutex::new(items);
    let next = || {
        let mut items = items
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        items.next()
    };
    let run = || {
        let mut room = room();
        while let Some(item) = next() {
            work(&mut room, item);
        }
    };
    pool(n_threads.max(1)).in_place_scope(|scope| {
        for _ in 1..n_threads {
            scope.spawn(|_| run());
        }
        run();
    });
}

/// Splits queries into contiguous blocks of about `docs` documents each. The split depends on the data alone,
/// never on the number of threads.
pub fn blocks(qptr: &[i64], docs: i64) -> Vec<std::ops::Range<usize>> {
    let n_queries = qptr.len().saturating_sub(1);
    let mut out = Vec::new();
    let mut start = 0;
    for q in 0..n_queries {
        if qptr[q + 1] - qptr[start] >= docs || q + 1 == n_queries {
            out.push(start..q + 1);
            start = q + 1;
        }
    }
    out
}
