import { PgBoss } from 'pg-boss';

const CONNECTIONS = 32;
const WINDOW_SECONDS = 3600;
const BATCH = 500;
const WORKERS = 4;
const WOKEN_WORKERS = 1; // a notification wakes all of them, and one of them gets the job

export const settings = () =>
  `${CONNECTIONS} connections; singletonKey with singletonSeconds ${WINDOW_SECONDS} ` +
  `(a duplicate is dropped); ${WORKERS} workers, batchSize ${BATCH}, burstWhenBatchFull; ` +
  `where handlers wait: ${WOKEN_WORKERS} worker, useListenNotify and notify`;

export async function open(address, variant, isWoken) {
  const boss = new PgBoss({
    connectionString: address,
    max: CONNECTIONS,
    supervise: false, // no upkeep and no cron beside what is measured
    schedule: false,
    useListenNotify: isWoken,
  });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue('bench', { notify: isWoken });
  const once = (key) => ({ singletonKey: key, singletonSeconds: WINDOW_SECONDS });
  return {
    schedule: (key, data) => boss.send('bench', data, once(key)),
    scheduleAll: (entries) =>
      boss.insert('bench', entries.map(({ key, data }) => ({ data, ...once(key) }))),
    async makeJobs(count) {
      for (let made = 0; made < count; made += BATCH) {
        await boss.insert('bench', Array(Math.min(BATCH, count - made)).fill({ data: {} }));
      }
    },
    work: (handle) =>
      boss.work(
        'bench',
        {
          batchSize: BATCH,
          localConcurrency: isWoken ? WOKEN_WORKERS : WORKERS,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
        },
        async (jobs) => handle(jobs.map(({ data }) => data)),
      ),
    close: () => boss.stop(),
  };
}
