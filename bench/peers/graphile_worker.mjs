// `batched` is the configuration of its page on performance: a local queue, completions together.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const CONNECTIONS = 32; // of the callers
const CONCURRENT_JOBS = 24; // this and the next as on that page
const LOCAL_QUEUE = 500;
const BATCH = 1000;

export const settings = (variant) =>
  `${CONNECTIONS} connections; jobKey (a duplicate replaces the payload); ` +
  `concurrentJobs ${CONCURRENT_JOBS}` +
  (variant === 'batched' ? `, localQueue ${LOCAL_QUEUE}, completeJobBatchDelay 0` : '');

const batching = {
  localQueue: { size: LOCAL_QUEUE },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};

export async function open(address, variant) {
  const logger = new Logger(() => () => {});
  const connections = { connectionString: address, maxPoolSize: CONNECTIONS };
  const utils = await makeWorkerUtils({ ...connections, logger });
  await utils.migrate();
  let runner;
  return {
    schedule: (key, data) => utils.addJob('bench', data, { jobKey: key, jobKeyMode: 'replace' }),
    scheduleAll: (entries) =>
      utils.addJobs(
        entries.map(({ key, data }) => ({ identifier: 'bench', payload: data, jobKey: key })),
      ),
    async makeJobs(count) {
      const job = { identifier: 'bench', payload: {} };
      for (let made = 0; made < count; made += BATCH) {
        await utils.addJobs(Array(Math.min(BATCH, count - made)).fill(job));
      }
    },
    async work(handle) {
      runner = await run({
        preset: {
          worker: {
            connectionString: address,
            concurrentJobs: CONCURRENT_JOBS,
            maxPoolSize: CONCURRENT_JOBS + 1,
            logger,
            ...(variant === 'batched' ? batching : {}),
          },
        },
        taskList: { bench: (data) => handle([data]) },
        noHandleSignals: true,
      });
    },
    async close() {
      await runner?.stop();
      await utils.release();
    },
  };
}
