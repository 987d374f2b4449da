-- Who works where, so that every node can say for which types there is a worker. Written by each
-- node for those who ask it, now and then; a row that nobody renews runs out.
create table semel.worker (
    node uuid not null,
    tenant text collate "C" not null,   -- '': of all tenants
    type text collate "C" not null,
    until bigint not null,
    primary key (node, tenant, type)
);
