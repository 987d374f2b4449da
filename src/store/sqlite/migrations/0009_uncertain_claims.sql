-- The claims that are uncertain: written when a claim becomes uncertain, deleted when it no longer is. So
-- operators list them without a scan. Entries of claims from before this migration are made by
-- uncertain_entries.cpp, because a claim's state is packed.
create table uncertain_claim (
    claim integer primary key,          -- its number
    tenant text not null,
    space text not null,
    created_at integer not null,
    id blob not null check (length(id) = 32)
) strict;
create index uncertain_claim_by_tenant on uncertain_claim (tenant, created_at, id);
create index uncertain_claim_by_space on uncertain_claim (tenant, space, created_at, id);
