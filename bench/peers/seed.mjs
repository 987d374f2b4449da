// What an application does that has a table of its own, and what Semel's rules come from: a lock
// for the key, a look for a pending action inside the window, then an update or an insert, in one
// transaction.
import pg from 'pg';

const CONNECTIONS = 32;
const WINDOW_SECONDS = 3600;

export const settings = () =>
  `pg, ${CONNECTIONS} connections, prepared statements; ` +
  `advisory lock, select, then insert or update, in a transaction (a duplicate replaces the payload)`;

const TABLE = `
  create table action (
    id bigint generated always as identity primary key,
    type text not null, key text not null, payload jsonb not null,
    status text not null default 'pending', created_at timestamptz not null default now());
  create index on action (type, key, created_at) where status = 'pending'`;
const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
const FIND = `
  select id from action
   where type = 'bench' and key = $1 and status = 'pending'
     and created_at > now() - make_interval(secs => $2)
   order by created_at desc limit 1`;
const REPLACE = 'update action set payload = $2 where id = $1';
const INSERT = `insert into action (type, key, payload) values ('bench', $1, $2)`;

export async function open(address) {
  const pool = new pg.Pool({ connectionString: address, max: CONNECTIONS });
  await pool.query(TABLE);
  return {
    async schedule(key, data) {
      const client = await pool.connect();
      const ask = (name, text, values) => client.query({ name, text, values });
      await ask('begin', 'begin');
      await ask('lock', LOCK, [key]);
      const { rows } = await ask('find', FIND, [key, WINDOW_SECONDS]);
      if (rows.length > 0) {
        await ask('replace', REPLACE, [rows[0].id, data]);
      } else {
        await ask('insert', INSERT, [key, data]);
      }
      await ask('commit', 'commit');
      client.release();
    },
    close: () => pool.end(),
  };
}
