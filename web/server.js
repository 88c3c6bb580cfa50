// The server as an engine: many threads, much memory, and a store.

/** A browser opens at most six connections to a server, for all its pages together. This many may be searches; the rest stay free for short questions. */
const SEARCHES = 4;

/** Waits for one of these turns, and calls `wait` if none is free. Returns a function that ends the turn. */
async function turn(signal, wait) {
  if (!navigator.locks) return () => {};
  const take = (number, options) => new Promise((resolve, reject) => {
    // The lock is held until the caller calls `release`.
    const hold = (lock) => lock && new Promise((release) => resolve(release));
    navigator.locks.request(`search ${number}`, options, hold).then(() => resolve(null), reject);
  });
  for (let number = 0; number < SEARCHES; number++) {
    const release = await take(number, { ifAvailable: true });
    if (release) return release;
  }
  signal.throwIfAborted();
  wait();
  const enough = new AbortController();
  signal.addEventListener('abort', () => enough.abort());
  const asked = Array.from({ length: SEARCHES }, (_, number) => take(number, { signal: enough.signal }));
  const first = await Promise.any(asked);
  enough.abort();
  for (const other of asked) other.then((release) => release !== first && release(), () => {});
  return first;
}

const bytes = (number) => (number >= 2 ** 30 ? `${Math.round(number / 2 ** 30)} GB` : `${Math.round(number / 2 ** 20)} MB`);

export class Server {
  constructor({ threads, memory, store }) {
    this.saves = store;
    this.about = `Solved by the server: ${threads === 1 ? 'one thread' : `${threads} threads`}, ${bytes(memory)}${store ? '; results are saved' : ''}.`;
  }

  async ask(what, body, signal) {
    const options = body && what !== 'explain' && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    };
    let response;
    try {
      response = await fetch(`api/${what}${what === 'explain' ? `?${new URLSearchParams(body)}` : ''}`, options || { signal });
    } catch {
      throw new Error('Cannot reach the server. Is “solrex serve” still running?');
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `The server answered with status ${response.status}.`);
    return answer;
  }

  /** Opens a stream of events. When it is closed, the server notices that nobody is listening. */
  solve(position, hear) {
    const over = new AbortController();
    turn(over.signal, () => hear('crowded', { crowded: true })).then((release) => {
      if (over.signal.aborted) return release();
      over.signal.addEventListener('abort', release);
      hear('crowded', { crowded: false });
      const source = new EventSource(`api/solve?${new URLSearchParams({ position, replies: 'true' })}`);
      over.signal.addEventListener('abort', () => source.close());
      for (const name of ['start', 'verdict', 'progress', 'waiting', 'opinion', 'move', 'done', 'grade', 'replies', 'failed']) {
        source.addEventListener(name, (event) => hear(name, JSON.parse(event.data)));
      }
      source.onerror = () => {
        // The browser tries again by itself, and the search starts over, unless the server refused it.
        if (source.readyState === EventSource.CLOSED) hear('failed', { error: 'The server refused this search.' });
        else hear('away', {});
      };
    }, () => {});
    return { close: () => over.abort() };
  }

  /** Sends a certificate. */
  check(file, hear) {
    return this.post('check', 'application/octet-stream', file, hear);
  }

  /** Asks for a certificate. */
  prove(request, hear) {
    return this.post('prove', 'application/json', JSON.stringify(request), (name, data) => {
      if (name === 'file') hear(name, Uint8Array.from(data.hex.match(/../g), (byte) => parseInt(byte, 16)));
      else hear(name, data);
    });
  }

  /** Sends something. What comes back is a stream of events; when it is closed, the server stops working on it. */
  post(what, type, body, hear) {
    const over = new AbortController();
    const read = async () => {
      const options = { method: 'POST', headers: { 'Content-Type': type }, body, signal: over.signal };
      const response = await fetch(`api/${what}`, options).catch(() => { throw new Error('Cannot reach the server. Is “solrex serve” still running?'); });
      if (!response.ok) {
        const { error } = await response.json().catch(() => ({}));
        throw new Error(error ?? `The server answered with status ${response.status}.`);
      }
      const events = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let answered = false;
      for (let text = '', done = false; !done;) {
        const next = await events.read();
        done = next.done;
        text += next.value ?? '';
        const parts = text.split('\n\n');
        text = parts.pop();
        for (const part of parts) {
          const [, name, data] = /^event: ?(\w+)\ndata: ?(.*)$/.exec(part) ?? [];
          if (name) hear(name, JSON.parse(data));
          answered ||= ['answer', 'failed'].includes(name);
        }
      }
      if (!answered) throw new Error('The server has stopped before the end.');
    };
    read().catch((error) => !over.signal.aborted && hear('failed', { error: error.message }));
    return { close: () => over.abort() };
  }
}
