//! A document's course through the ranks: it rises where it overtakes another and falls where another overtakes it.
//! Only the part of the course that is within the first k is put in order; most documents are never there.

use super::Steps;

const NEVER: u64 = u64::MAX;

/// When the document rises and falls, as keys of α, in any order.
#[derive(Default)]
pub struct Course {
    pub rises: Vec<u64>,
    pub falls: Vec<u64>,
    /// Room for all of them.
    pub met: Vec<u64>,
}

impl Course {
    /// Adds the steps of a document that begins at `place` and is worth `at(place)` there, nothing from `depth` on.
    pub fn walk(
        &mut self,
        place: usize,
        depth: usize,
        at: impl Fn(usize) -> i64,
        steps: &mut Steps,
    ) {
        let Some(mut place) = self.keep_within(place, depth) else {
            return;
        };
        let worth = |place: usize| if place < depth { at(place) } else { 0 };
        self.rises.sort_unstable();
        self.falls.sort_unstable();
        self.rises.push(NEVER);
        self.falls.push(NEVER);
        let mut now = worth(place);
        steps.start = steps.start.wrapping_add(now);
        let (mut rose, mut fell) = (0, 0);
        loop {
            let (up, down) = (self.rises[rose], self.falls[fell]);
            let key = up.min(down);
            if key == NEVER {
                return;
            }
            let up_first = up <= down;
            let before = place;
            if up_first {
                rose += 1;
                place -= 1;
            } else {
                fell += 1;
                place += 1;
            }
            if before.min(place) < depth {
                let fresh = worth(place);
                if fresh != now {
                    steps.push(key, fresh.wrapping_sub(now));
                    now = fresh;
                }
            }
        }
    }

    /// Drops what happens before the document first comes among the first `depth` and after it last leaves them.
    /// Returns the place where it then begins, or None if it is never there.
    fn keep_within(&mut self, place: usize, depth: usize) -> Option<usize> {
        if place - self.rises.len() >= depth {
            return None; // so many others stay above
        }
        let begins = entered(&mut self.rises, &mut self.falls, place, depth, 0)?;
        // seen from the other end of the line, falls are rises
        let ends = begins - self.rises.len() + self.falls.len();
        let ended = entered(&mut self.falls, &mut self.rises, ends, depth, !0)?;
        Some(ended - self.falls.len() + self.rises.len())
    }
}

/// Drops what happens before a document at `place` can first come among the first `depth`: as many rises as it is
/// too low, and the falls before the next rise, which make it lower still. Keys are compared after ⊕ `flip`.
fn entered(
    rises: &mut Vec<u64>,
    falls: &mut Vec<u64>,
    mut place: usize,
    depth: usize,
    flip: u64,
) -> Option<usize> {
    while place >= depth {
        let excess = place - depth;
        if excess >= rises.len() {
            return None;
        }
        let first = *rises.select_nth_unstable_by_key(excess, |key| key ^ flip).1;
        rises.drain(..excess);
        let before = falls.len();
        falls.retain(|key| key ^ flip >= first ^ flip);
        place = depth + before - falls.len();
        if before == falls.len() {
            break;
        }
    }
    Some(place)
}
