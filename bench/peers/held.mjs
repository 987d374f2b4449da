// A steady load on Semel over HTTP, for `bench/postgres.py`: so many actions a second are scheduled,
// and worked by pullers of this process. Prints a line of JSON at the end of each phase.
//   held.mjs ADDRESS RATE WARM_UP_SECONDS SECONDS…
// Phases follow one another; before each it waits for a line on stdin, with the load going on.
import readline from 'node:readline';

import { byTheClock, pause, percentiles } from './load.mjs';
import { client, pull } from './semel.mjs';

const TICK_MS = 10;
const PULLERS = 2;
const CLAIM = 100;
const UNANSWERED_MAX = 1000; // past it calls are given up, and counted as refused

class Load {
  #semel;
  #unanswered = 0;
  #isStopped = false;
  #stopSending;
  constructor(address, rate) {
    this.#semel = client(address);
    this.begin();
    this.pullers = Array.from({ length: PULLERS }, () =>
      pull(this.#semel, ['held'], CLAIM, (jobs) => this.#started(jobs), () => this.#isStopped),
    );
    this.#stopSending = byTheClock(rate, TICK_MS, (number) => this.#send(number));
  }

  // Figures are counted from here.
  begin() {
    this.began = performance.now();
    this.figures = { scheduled: 0, started: 0, refused: 0 };
    this.waits = [];
  }

  report() {
    const seconds = (performance.now() - this.began) / 1000;
    const { scheduled, started, refused } = this.figures;
    return {
      scheduledPerSecond: scheduled / seconds,
      startedPerSecond: started / seconds,
      refused,
      ...percentiles(this.waits),
    };
  }

  async stop() {
    this.#isStopped = true;
    this.#stopSending();
    await Promise.all(this.pullers);
    this.#semel.close();
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
