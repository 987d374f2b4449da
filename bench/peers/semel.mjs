// Semel over HTTP, called as the peers are: by a program in JavaScript, one call at a time from
// each caller. With `any` a key holds for its window, whatever became of its action.
import { Pool } from 'undici';

const CONNECTIONS = 64; // as many as there are callers
const HEADERS = { 'Content-Type': 'application/json' };
const WINDOW = { windowSeconds: 3600 };
const BATCH = 1000; // as many as one call may have
const PULLERS = 4;
const CLAIM = 250;

export const settings = (variant) =>
  `undici, ${CONNECTIONS} connections, no pipelining; windowSeconds 3600` +
  (variant === 'any' ? `, scope any; ` : ` (a duplicate replaces the payload); `) +
  `${PULLERS} pullers, claim ${CLAIM} and settle`;

export function client(address) {
  const pool = new Pool(address, { connections: CONNECTIONS, pipelining: 1 });
  return {
    async post(path, content) {
      const request = { path, method: 'POST', headers: HEADERS, body: JSON.stringify(content) };
      const { statusCode, body } = await pool.request(request);
      const answer = await body.json();
      if (statusCode >= 300) {
        throw new Error(`${path}: ${statusCode} ${JSON.stringify(answer)}`);
      }
      return answer;
    },
    close: () => pool.destroy(),
  };
}

// Claims, handles and settles until it is stopped.
export async function pull({ post }, types, max, handle, isStopped) {
  while (!isStopped()) {
    const { jobs } = await post('/v1/jobs/claim', { types, max, worker: 'bench', waitMs: 1000 });
    if (jobs.length === 0) {
      continue;
    }
    handle(jobs);
    const items = jobs.map(({ id, token }) => ({ id, verb: 'complete', token }));
    const { results } = await post('/v1/jobs/settle', { items });
    const refused = results.find(({ status }) => status >= 300);
    if (refused) {
      throw new Error(`a job was not completed: ${JSON.stringify(refused)}`);
    }
  }
}

export async function open(address, variant) {
  const semel = client(address);
  const workers = client(address); // do not wait for a connection behind callers
  const deduplication = variant === 'any' ? { ...WINDOW, scope: 'any' } : WINDOW;
  const action = (payload) => ({ type: 'bench', payload, deduplication });
  let isStopped = false;
  let pullers = [];
  const scheduleItems = async (items) => {
    const { results } = await semel.post('/v1/actions/batch', { items });
    const refused = results.find(({ error }) => error);
    if (refused) {
      throw new Error(`an item was refused: ${JSON.stringify(refused)}`);
    }
  };
  return {
    schedule: (key, data) => semel.post('/v1/actions', action(data)),
    scheduleAll: (entries) => scheduleItems(entries.map(({ data }) => action(data))),
    async makeJobs(count) {
      const item = { type: 'bench', payload: {}, deduplication: false };
      for (let made = 0; made < count; made += BATCH) {
        await scheduleItems(Array(Math.min(BATCH, count - made)).fill(item));
      }
    },
    async work(handle) {
      const started = (jobs) => handle(jobs.map(({ input }) => input));
      pullers = Array.from({ length: PULLERS }, () =>
        pull(workers, ['bench'], CLAIM, started, () => isStopped),
      );
    },
    async close() {
      isStopped = true;
      await Promise.all(pullers);
      workers.close();
      semel.close();
    },
  };
}
