//! Several workers, results in the order of the jobs.

use crate::search::STACK_BYTES;
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

/// Does the jobs with so many workers, each with its own state from `start`. `on_result` hears the
/// results one by one in the order of the jobs, whichever was done first, and may end the work.
pub fn in_order<Job, Done, State>(
    jobs: impl Iterator<Item = Job> + Send,
    workers: usize,
    start: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    mut on_result: impl FnMut(Done) -> ControlFlow<()>,
) where
    Job: Send,
    Done: Send,
{
    let jobs = Mutex::new(jobs.enumerate());
    let over = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let run = |sender: mpsc::Sender<(usize, Done)>| {
        let mut state = start();
        while !over.load(Ordering::Relaxed) {
            let job = jobs.lock().map_or(None, |mut jobs| jobs.next());
            let Some((number, job)) = job else { break };
            if sender.send((number, work(&mut state, job))).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let mut handles = Vec::new();
        for _ in 0..workers.max(1) {
            let sender = sender.clone();
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            // With no thread to be had the ones there are do all the work.
            match builder.spawn_scoped(scope, || run(sender)) {
                Ok(handle) => handles.push(handle),
                Err(error) => log::warn!("one worker less: {error}"),
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        'results: for (number, done) in receiver {
            early.insert(number, done);
            while let Some(done) = early.remove(&next) {
                next += 1;
                if on_result(done).is_break() {
                    over.store(true, Ordering::Relaxed);
                    break 'results;
                }
            }
        }
        for handle in handles {
            if let Err(payload) = handle.join() {
                panic::resume_unwind(payload);
            }
        }
    });
}

/// Like [`in_order`] for workers whose state may not be had.
///
/// # Errors
/// The first such failure; the results before it were heard.
pub fn try_in_order<Job, Done, State, Failure>(
    jobs: impl Iterator<Item = Job> + Send,
    workers: usize,
    start: impl Fn() -> Result<State, Failure> + Sync,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    mut on_result: impl FnMut(Done) -> ControlFlow<()>,
) -> Result<(), Failure>
where
    Job: Send,
    Done: Send,
    Failure: Copy + Send,
{
    let mut failure = None;
    in_order(
        jobs,
        workers,
        start,
        |state, job| match state {
            Ok(state) => Ok(work(state, job)),
            Err(error) => Err(*error),
        },
        |done| match done {
            Ok(done) => on_result(done),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_and_can_be_cut_short() {
        let slow_first = |_: &mut (), job: u64| {
            thread::sleep(Duration::from_millis((7 - job % 7) / 2));
            job * job
        };
        let mut results = Vec::new();
        in_order(
            0..40,
            4,
            || (),
            slow_first,
            |done| {
                results.push(done);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(results, (0..40).map(|n| n * n).collect::<Vec<_>>());

        let mut count = 0;
        in_order(
            0..,
            3,
            || (),
            slow_first,
            |_| {
                count += 1;
                if count == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(count, 5);
    }
}
