-- How far the server's clock was ahead of store time, by the server's clock at clock_since. Whoever sees
-- that clock step writes it down, and all nodes go by it (store/postgres/shared_time.hpp).
alter table semel.meta add column clock_ahead bigint not null default 0;
alter table semel.meta add column clock_since bigint not null default 0;
