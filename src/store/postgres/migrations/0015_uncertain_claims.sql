-- The claims that are uncertain: written when a claim becomes uncertain, deleted when it no longer is. So
-- operators list them without a scan. A table of its own, because claims are written far more often than that.
--
-- Not side by side with the version before, which makes no entries. Those of claims from before this migration
-- are made by uncertain_entries.cpp, because a claim's state is packed.
update semel.meta set works_from = 15;
alter table semel.commit_mark drop constraint commit_mark_known;
alter table semel.commit_mark add constraint commit_mark_known check (known >= 15) not valid;

create table semel.uncertain_claim (
    claim bytea primary key,
    tenant text collate "C" not null,
    space text collate "C" not null,
    created_at bigint not null
);
create index uncertain_claim_by_tenant on semel.uncertain_claim (tenant, created_at, claim);
create index uncertain_claim_by_space on semel.uncertain_claim (tenant, space, created_at, claim);
