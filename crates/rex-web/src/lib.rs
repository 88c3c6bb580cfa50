//! The solver for a browser: [`rex_answers::desk`] as a few functions of a WebAssembly module. `web/rex.js` calls them.
//!
//! Text and files go in through one room in the module's memory, and events come out by a call of `tell`. No pointer is
//! read here: the host writes to the room by its address, and reads what it is told before it returns.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]

use std::cell::RefCell;
use std::time::Duration;

use rex_answers::desk::{Desk, Event};

thread_local! {
    static DESK: RefCell<Option<Desk>> = const { RefCell::new(None) };
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What the host gives.
///
/// The declaration is all that is unsafe in this crate, with the names of the exported functions below: that they are
/// the only ones of that name, and that the host's have these types.
#[allow(unsafe_code)]
mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since any fixed moment.
        pub safe fn now() -> f64;
        /// An event of a job, as the text of `["name", {…}]`.
        pub safe fn tell(job: u32, text: *const u8, length: usize);
        /// A file that a job has made.
        pub safe fn hand(job: u32, bytes: *const u8, length: usize);
        /// What a panic says, before the module stops for good.
        pub safe fn died(text: *const u8, length: usize);
    }
}

fn milliseconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time / 1000.0).unwrap_or_default()
}

/// Sets up the module, once, with at most this many bytes for each table, and with the book of openings unless that is 0.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn open(memory: f64, book: u32) {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        host::died(text.as_ptr(), text.len());
    }));
    rex_search::set_clock(|| milliseconds(host::now()));
    let book = if book == 0 { |_| None } else { rex_book::shipped_for };
    DESK.set(Some(Desk::new(memory as u64, book)));
}

/// Makes room for a request of this many bytes, and returns where. Null if there is no memory for it.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut made = Vec::new();
    if made.try_reserve_exact(bytes).is_err() {
        return std::ptr::null_mut();
    }
    made.resize(bytes, 0);
    let place = made.as_mut_ptr();
    // A vector's bytes stay where they are when it is moved.
    ROOM.set(made);
    place
}

/// Takes the request in the room, whose first bytes are JSON and the others a file. Returns the number of its job.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn begin(text: usize) -> u32 {
    let mut request = ROOM.take();
    let file = request.split_off(text.min(request.len()));
    with_desk(|desk| desk.begin(&request, file))
}

/// Works on a job for about this many milliseconds, or until it is finished if that is no number. Returns 1 if it is
/// finished, 0 if it is not.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn step(job: u32, slice: f64) -> u32 {
    let slice = slice.is_finite().then(|| milliseconds(slice));
    let finished = with_desk(|desk| {
        desk.step(job, slice, &mut |event| match event {
            Event::Named(name, value) => {
                let text = format!("[\"{name}\",{value}]");
                host::tell(job, text.as_ptr(), text.len());
            }
            Event::File(bytes) => host::hand(job, bytes.as_ptr(), bytes.len()),
        })
    });
    u32::from(finished)
}

/// Forgets a job.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn end(job: u32) {
    with_desk(|desk| desk.end(job));
}

fn with_desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with_borrow_mut(|desk| work(desk.get_or_insert_with(|| Desk::new(0, |_| None))))
}
