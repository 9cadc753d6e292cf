//! Several workers, results in the order of the jobs.

use crate::search::STACK_BYTES;
use std::{
    collections::BTreeMap,
    fmt, io,
    ops::ControlFlow,
    panic,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

/// Why work did not come to its end.
#[derive(Debug)]
pub enum WorkError<Failure> {
    /// No thread at all could be started.
    NoThread(io::Error),
    /// A worker's state could not be had.
    Start(Failure),
}

impl<Failure: fmt::Display> fmt::Display for WorkError<Failure> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThread(error) => write!(f, "no thread can be started: {error}"),
            Self::Start(failure) => failure.fmt(f),
        }
    }
}

impl<Failure: fmt::Debug + fmt::Display> std::error::Error for WorkError<Failure> {}

/// A worker that panics ends the work of the others: what they did after the job that is missing
/// then could never be heard.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Does the jobs with so many workers, each with its own state from `start` and a stack of
/// `stack_bytes`. `on_result` hears the results one by one in the order of the jobs, whichever was
/// done first, and may end the work. A panic of a worker is passed on.
///
/// # Errors
/// If no thread can be started.
fn in_order<Job, Done, State>(
    stack_bytes: usize,
    jobs: impl Iterator<Item = Job> + Send,
    workers: usize,
    start: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    mut on_result: impl FnMut(Done) -> ControlFlow<()>,
) -> io::Result<()>
where
    Job: Send,
    Done: Send,
{
    let jobs = Mutex::new(jobs.enumerate());
    let over = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let run = |sender: mpsc::Sender<(usize, Done)>| {
        let _guard = EndOnPanic(&over);
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
        let mut refused = None;
        for _ in 0..workers.max(1) {
            let sender = sender.clone();
            let builder = thread::Builder::new().stack_size(stack_bytes);
            // With no thread to be had the ones there are do all the work.
            match builder.spawn_scoped(scope, || run(sender)) {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    log::warn!("one worker less: {error}");
                    refused = Some(error);
                }
            }
        }
        drop(sender);
        if let Some(error) = refused.filter(|_| handles.is_empty()) {
            return Err(error);
        }
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
        Ok(())
    })
}

/// Does the jobs with so many workers, each with its own state from `start`, which may not be had.
/// `on_result` hears the results one by one in the order of the jobs, whichever was done first, and
/// may end the work. A panic of a worker is passed on, and ends the work.
///
/// # Errors
/// The first state that could not be had, or if no thread can be started; the results before that
/// were heard.
pub fn try_in_order<Job, Done, State, Failure>(
    jobs: impl Iterator<Item = Job> + Send,
    workers: usize,
    start: impl Fn() -> Result<State, Failure> + Sync,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    mut on_result: impl FnMut(Done) -> ControlFlow<()>,
) -> Result<(), WorkError<Failure>>
where
    Job: Send,
    Done: Send,
    Failure: Copy + Send,
{
    let mut failure = None;
    in_order(
        STACK_BYTES,
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
    )
    .map_err(WorkError::NoThread)?;
    failure.map_or(Ok(()), |failure| Err(WorkError::Start(failure)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{panic::AssertUnwindSafe, sync::atomic::AtomicUsize, time::Duration};

    #[test]
    fn results_come_in_order_and_can_be_cut_short() {
        let slow_first = |_: &mut (), job: u64| {
            thread::sleep(Duration::from_millis((7 - job % 7) / 2));
            job * job
        };
        let mut results = Vec::new();
        let keep = |done| {
            results.push(done);
            ControlFlow::Continue(())
        };
        in_order(STACK_BYTES, 0..40, 4, || (), slow_first, keep).unwrap();
        assert_eq!(results, (0..40).map(|n| n * n).collect::<Vec<_>>());

        let mut count = 0;
        let until_five = |_| {
            count += 1;
            if count == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        in_order(STACK_BYTES, 0.., 3, || (), slow_first, until_five).unwrap();
        assert_eq!(count, 5);
    }

    #[test]
    fn a_panic_ends_the_work_soon() {
        let (mut heard, done) = (Vec::new(), AtomicUsize::new(0));
        let fifth_panics = |_: &mut (), job: usize| {
            assert_ne!(job, 5, "a defect in the work");
            thread::sleep(Duration::from_millis(1));
            done.fetch_add(1, Ordering::Relaxed);
            job
        };
        let keep = |job| {
            heard.push(job);
            ControlFlow::Continue(())
        };
        let run = || in_order(STACK_BYTES, 0..5000, 3, || (), fifth_panics, keep);
        assert!(panic::catch_unwind(AssertUnwindSafe(run)).is_err());
        assert_eq!(heard, [0, 1, 2, 3, 4]);
        assert!(done.into_inner() < 2500, "the others went on");
    }

    #[test]
    fn work_that_nobody_does_is_not_done() {
        // A stack that no machine has.
        let no_thread =
            in_order(1 << 60, 0..3, 2, || (), |_, job| job, |_| ControlFlow::Continue(()));
        assert!(no_thread.is_err());
    }
}
