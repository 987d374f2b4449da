import { Queue, Worker } from 'bullmq';

const WINDOW_MS = 3_600_000;
const CONCURRENCY = 100; // its guide: 100 to 300 for work that waits
const BATCH = 1000;

export const settings = () =>
  `one connection, pipelined; deduplication {id, ttl 1 h} (a duplicate is dropped); ` +
  `one worker, concurrency ${CONCURRENCY}, removeOnComplete`;

export async function open(address) {
  const { hostname: host, port } = new URL(address);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection });
  await queue.waitUntilReady();
  const once = (key) => ({ deduplication: { id: key, ttl: WINDOW_MS } });
  let worker;
  return {
    schedule: (key, data) => queue.add('bench', data, once(key)),
    scheduleAll: (entries) =>
      queue.addBulk(entries.map(({ key, data }) => ({ name: 'bench', data, opts: once(key) }))),
    async makeJobs(count) {
      for (let made = 0; made < count; made += BATCH) {
        await queue.addBulk(Array(Math.min(BATCH, count - made)).fill({ name: 'bench', data: {} }));
      }
    },
    async work(handle) {
      worker = new Worker('bench', async ({ data }) => handle([data]), {
        connection,
        concurrency: CONCURRENCY,
        removeOnComplete: { count: 0 },
      });
    },
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
}
