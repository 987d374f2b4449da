// One measure of one side, in a process of its own; prints its figures as JSON.
//   measure.mjs SIDE ADDRESS schedule DUPLICATES SECONDS
//   measure.mjs SIDE ADDRESS drain JOBS
// A side is a file of this folder. It exports `settings` and `open(address, variant)`; what that
// returns has `schedule(key, data)`, `makeJobs(count)`, `drain(handled)` and `close()`. SIDE may be
// `name:variant`. ADDRESS is the URL of an empty database, of Redis, or of Semel.
const CALLERS = 64;
const RECENT_KEYS = 1000; // duplicates are of these, as in `semel bench`
const WARM_UP_SECONDS = 1; // is not counted: the compiler of JavaScript needs it

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

function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

async function schedule(peer, duplicates, seconds) {
  const nextKey = makeKeys(duplicates);
  const begin = performance.now() + WARM_UP_SECONDS * 1000;
  const end = begin + seconds * 1000;
  const waits = [];
  let cpu;
  const caller = async () => {
    for (let now = performance.now(); now < end; ) {
      const key = `k-${nextKey()}`;
      await peer.schedule(key, { entityId: key, note: 'hello' });
      const after = performance.now();
      if (now >= begin) {
        cpu ??= process.cpuUsage();
        waits.push(after - now);
      }
      now = after;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const took = (performance.now() - begin) / 1000;
  waits.sort((a, b) => a - b);
  return {
    perSecond: waits.length / took,
    p50Ms: percentile(waits, 0.5),
    p99Ms: percentile(waits, 0.99),
    callersCores: cpuSeconds(cpu) / took,
  };
}

// From the start of the workers until the last handler has run.
async function drain(peer, jobs) {
  await peer.makeJobs(jobs);
  let count = 0;
  const began = performance.now();
  const cpu = process.cpuUsage();
  const took = await new Promise((resolve, reject) => {
    peer
      .drain((handled = 1) => {
        count += handled;
        if (count >= jobs) {
          resolve((performance.now() - began) / 1000);
        }
      })
      .catch(reject);
  });
  return { perSecond: jobs / took, callersCores: cpuSeconds(cpu) / took };
}

function cpuSeconds(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

async function main([side, address, measure, ...numbers]) {
  const [name, variant] = side.split(':');
  const { open, settings } = await import(`./${name}.mjs`);
  const peer = await open(address, variant);
  const run = { schedule, drain }[measure];
  const figures = await run(peer, ...numbers.map(Number));
  await peer.close();
  console.log(JSON.stringify({ ...figures, settings: settings(variant) }));
}

await main(process.argv.slice(2));
process.exit(0); // some sides leave timers behind
