import { PgBoss } from 'pg-boss';

const CONNECTIONS = 32;
const WINDOW_SECONDS = 3600;
const BATCH = 500;
const WORKERS = 4;

export const settings = () =>
  `${CONNECTIONS} connections; singletonKey with singletonSeconds ${WINDOW_SECONDS} ` +
  `(a duplicate is dropped); ${WORKERS} workers, batchSize ${BATCH}, burstWhenBatchFull`;

export async function open(address) {
  const boss = new PgBoss({
    connectionString: address,
    max: CONNECTIONS,
    supervise: false, // no upkeep and no cron beside what is measured
    schedule: false,
  });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue('bench');
  return {
    schedule: (key, data) =>
      boss.send('bench', data, { singletonKey: key, singletonSeconds: WINDOW_SECONDS }),
    async makeJobs(count) {
      for (let made = 0; made < count; made += BATCH) {
        await boss.insert('bench', Array(Math.min(BATCH, count - made)).fill({ data: {} }));
      }
    },
    drain: (handled) =>
      boss.work(
        'bench',
        {
          batchSize: BATCH,
          localConcurrency: WORKERS,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
        },
        async (jobs) => handled(jobs.length),
      ),
    close: () => boss.stop(),
  };
}
