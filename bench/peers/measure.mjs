// One measure of one side, in a process of its own. Prints `begun` and `ended` around what is
// counted, then its figures as JSON.
//   measure.mjs SIDE ADDRESS schedule DUPLICATES SECONDS
//   measure.mjs SIDE ADDRESS bulk DUPLICATES SECONDS
//   measure.mjs SIDE ADDRESS drain JOBS
//   measure.mjs SIDE ADDRESS latency CALLS_A_SECOND SECONDS      0: each after the start before it
//   measure.mjs SIDE ADDRESS storm CALLS
// A side is a file of this folder. It exports `settings(variant)` and `open(address, variant,
// isWoken)`, where `isWoken` says that handlers wait for what is scheduled; what that returns has
//   schedule(key, data)     one call
//   scheduleAll(entries)    one call for many {key, data}, where the side has such a call
//   makeJobs(count)         to drain
//   work(handle)            starts handlers; `handle` gets a list with the data of jobs that start
//   close()
// SIDE may be `name:variant`. ADDRESS is the URL of an empty database, of Redis, or of Semel.
import { byTheClock, pause, percentiles } from './load.mjs';

const CALLERS = 64;
const RECENT_KEYS = 1000; // duplicates are of these, as in `semel bench`
const WARM_UP_SECONDS = 1; // is not counted: the compiler of JavaScript needs it
const BULK_CALLERS = 4;
const BULK = 100; // items of a call
const TICK_MS = 2;
const QUIET_SECONDS = 1; // without a start after a storm: there is no more to come
const SECONDS_MAX = 300; // beyond what was asked for: a job that never starts would be waited for

// Which key comes next: a new one, or one of the last.
function makeKeys(duplicates) {
  let last = 0;
  return () => {
    if (last > 0 && Math.random() * 100 < duplicates) {
      return Math.max(1, last - Math.floor(Math.random() * RECENT_KEYS));
    }
    return ++last;
  };
}

let entries = 0;

// A duplicate says something else than the first: whoever replaces payloads has something to write.
const entry = (number) => {
  const key = `k-${number}`;
  entries += 1;
  return { key, data: { entityId: key, note: `hello ${entries}` } };
};

const atOnce = (count, caller) => Promise.all(Array.from({ length: count }, caller));

// What is counted begins here.
class Span {
  constructor() {
    console.log('begun');
    this.began = performance.now();
    this.cpu = process.cpuUsage();
  }

  end(count) {
    const took = (performance.now() - this.began) / 1000;
    const { user, system } = process.cpuUsage(this.cpu);
    console.log('ended');
    return { count, perSecond: count / took, callersCores: (user + system) / 1e6 / took };
  }
}

// Jobs that have started, by a side's handlers.
class Starts {
  count = 0;
  #check = () => {};

  handle = (jobs) => {
    this.count += jobs.length;
    this.#check();
  };

  // When so many have: the time of that.
  reach(count) {
    return new Promise((resolve) => {
      this.#check = () => this.count >= count && resolve(performance.now());
      this.#check();
    });
  }
}

// `call` resolves to the time at which what is timed had happened.
async function callFor(seconds, callers, items, call) {
  const waits = [];
  const end = performance.now() + (WARM_UP_SECONDS + seconds) * 1000;
  let span;
  const calls = atOnce(callers, async () => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      const done = await call();
      if (now >= span?.began) {
        waits.push(done - now);
      }
    }
  });
  await pause(WARM_UP_SECONDS);
  span = new Span();
  await calls;
  return { ...span.end(waits.length * items), ...percentiles(waits) };
}

function schedule(peer, duplicates, seconds) {
  const nextKey = makeKeys(duplicates);
  return callFor(seconds, CALLERS, 1, async () => {
    const { key, data } = entry(nextKey());
    await peer.schedule(key, data);
    return performance.now();
  });
}

// No key is twice in one call, and keys are in order: graphile-worker refuses the one, and its calls
// would wait for one another in a circle without the other.
function bulk(peer, duplicates, seconds) {
  const nextKey = makeKeys(duplicates);
  return callFor(seconds, BULK_CALLERS, BULK, async () => {
    const keys = new Set();
    while (keys.size < BULK) {
      keys.add(nextKey());
    }
    await peer.scheduleAll([...keys].sort((a, b) => a - b).map(entry));
    return performance.now();
  });
}

// From the start of the workers until the last handler has run.
async function drain(peer, jobs) {
  await peer.makeJobs(jobs);
  const starts = new Starts();
  const span = new Span();
  await Promise.all([peer.work(starts.handle), starts.reach(jobs)]);
  return span.end(jobs);
}

const latency = (peer, rate, seconds) => (rate ? atRate(peer, rate, seconds) : idle(peer, seconds));

async function idle(peer, seconds) {
  const starts = new Starts();
  await peer.work(starts.handle);
  let sent = 0;
  return callFor(seconds, 1, 1, async () => {
    const { key, data } = entry(++sent);
    const [started] = await Promise.all([starts.reach(sent), peer.schedule(key, data)]);
    return started;
  });
}

async function atRate(peer, rate, seconds) {
  const starts = new Starts();
  const waits = [];
  let sent = 0;
  let span;
  await peer.work((jobs) => {
    const now = performance.now();
    const counted = jobs.filter(({ sentAt }) => sentAt >= span?.began);
    waits.push(...counted.map(({ sentAt }) => now - sentAt));
    starts.handle(jobs);
  });
  const stop = byTheClock(rate, TICK_MS, (number) => {
    const { key, data } = entry(number);
    ++sent;
    peer.schedule(key, { ...data, sentAt: performance.now() });
  });
  await pause(WARM_UP_SECONDS);
  span = new Span();
  await pause(seconds);
  stop();
  await starts.reach(sent);
  return { ...span.end(waits.length), ...percentiles(waits) };
}

// Calls that say the same; `effects` is how often handlers ran for it.
async function storm(peer, calls) {
  const starts = new Starts();
  await peer.work(starts.handle);
  const { key, data } = entry(1);
  const waits = [];
  const failures = [];
  let left = calls;
  const span = new Span();
  await atOnce(CALLERS, async () => {
    while (left-- > 0) {
      const began = performance.now();
      await peer.schedule(key, data).catch((error) => failures.push(error));
      waits.push(performance.now() - began);
    }
  });
  const figures = { ...span.end(calls), ...percentiles(waits), failed: failures.length };
  if (failures.length > 0) {
    console.error('the first call that failed:', failures[0]);
  }
  for (let before = -1; before !== starts.count; await pause(QUIET_SECONDS)) {
    before = starts.count;
  }
  return { ...figures, effects: starts.count };
}

async function main([side, address, measure, ...numbers]) {
  const [name, variant] = side.split(':');
  const { open, settings } = await import(`./${name}.mjs`);
  const peer = await open(address, variant, measure === 'latency' || measure === 'storm');
  const run = { schedule, bulk, drain, latency, storm }[measure];
  const figures = await run(peer, ...numbers.map(Number));
  await peer.close();
  console.log(JSON.stringify({ ...figures, settings: settings(variant) }));
}

const words = process.argv.slice(2);
const isTimed = !['drain', 'storm'].includes(words[2]); // then the last word is seconds
const secondsMax = SECONDS_MAX + (isTimed ? Number(words.at(-1)) : 0);
setTimeout(() => {
  throw new Error(`no end in ${secondsMax} s`);
}, secondsMax * 1000);
await main(words);
process.exit(0); // some sides leave timers behind
