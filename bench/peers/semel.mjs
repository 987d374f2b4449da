// Semel over HTTP, called as the peers are: by a program in JavaScript, one call at a time from
// each caller.
import { Pool } from 'undici';

const CONNECTIONS = 64; // as many as there are callers
const HEADERS = { 'Content-Type': 'application/json' };
const WINDOW = { windowSeconds: 3600 };
const BATCH = 1000; // as many as one call may have
const PULLERS = 4;
const CLAIM = 250;

export const settings = () =>
  `undici, ${CONNECTIONS} connections, no pipelining; ` +
  `windowSeconds 3600 (a duplicate replaces the payload); ` +
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

export async function open(address) {
  const semel = client(address);
  let isStopped = false;
  return {
    schedule: (key, data) =>
      semel.post('/v1/actions', { type: 'bench', payload: data, deduplication: WINDOW }),
    async makeJobs(count) {
      const item = { type: 'bench', payload: {}, deduplication: false };
      for (let made = 0; made < count; made += BATCH) {
        const items = Array(Math.min(BATCH, count - made)).fill(item);
        await semel.post('/v1/actions/batch', { items });
      }
    },
    drain: (handled) =>
      Promise.all(
        Array.from({ length: PULLERS }, () =>
          pull(semel, ['bench'], CLAIM, (jobs) => handled(jobs.length), () => isStopped),
        ),
      ),
    close() {
      isStopped = true;
      semel.close();
    },
  };
}
