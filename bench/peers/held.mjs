// A steady load on Semel over HTTP, for `bench/postgres.py`: so many actions a second are scheduled,
// and worked by pullers of this process. Prints a line of JSON at the end of each phase.
//   held.mjs ADDRESS RATE WARM_UP_SECONDS SECONDS…
// Phases follow one another; before each it waits for a line on stdin, with the load going on.
import readline from 'node:readline';

import { client, pull } from './semel.mjs';

const TICK_MS = 10;
const PULLERS = 2;
const CLAIM = 100;
const UNANSWERED_MAX = 1000; // past it calls are given up, and counted as refused

class Load {
  #semel;
  #rate;
  #unanswered = 0;
  #isStopped = false;
  constructor(address, rate) {
    this.#semel = client(address);
    this.#rate = rate;
    this.begin();
    this.pullers = Array.from({ length: PULLERS }, () =>
      pull(this.#semel, ['held'], CLAIM, (jobs) => this.#started(jobs), () => this.#isStopped),
    );
    this.#schedule();
  }

  // Figures are counted from here.
  begin() {
    this.began = performance.now();
    this.figures = { scheduled: 0, started: 0, refused: 0 };
    this.waits = [];
  }

  report() {
    const seconds = (performance.now() - this.began) / 1000;
    const waits = this.waits.sort((a, b) => a - b);
    const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? null;
    const { scheduled, started, refused } = this.figures;
    return {
      scheduledPerSecond: scheduled / seconds,
      startedPerSecond: started / seconds,
      refused,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    };
  }

  async stop() {
    this.#isStopped = true;
    await Promise.all(this.pullers);
    this.#semel.close();
  }

  // By the clock, not by the answers: a slow server does not slow the load down.
  #schedule() {
    const began = performance.now();
    let sent = 0;
    const tick = () => {
      for (const due = ((performance.now() - began) * this.#rate) / 1000; sent < due; ++sent) {
        this.#send(sent);
      }
      if (!this.#isStopped) {
        setTimeout(tick, TICK_MS);
      }
    };
    tick();
  }

  async #send(number) {
    if (this.#unanswered >= UNANSWERED_MAX) {
      ++this.figures.refused;
      return;
    }
    ++this.#unanswered;
    const payload = { entityId: `held-${number}`, sentAt: performance.now() };
    try {
      await this.#semel.post('/v1/actions', { type: 'held', payload });
      ++this.figures.scheduled;
    } catch {
      ++this.figures.refused;
    }
    --this.#unanswered;
  }

  #started(jobs) {
    const now = performance.now();
    this.figures.started += jobs.length;
    for (const job of jobs) {
      this.waits.push(now - job.input.sentAt);
    }
  }
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const [address, rate, warmUp, ...phases] = process.argv.slice(2);
const load = new Load(address, Number(rate));
await pause(Number(warmUp));
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (const seconds of phases) {
  await lines.next();
  load.begin();
  await pause(Number(seconds));
  console.log(JSON.stringify(load.report()));
}
await load.stop();
process.exit(0);
