import { readRules, updateRules } from "../domain/approvals/rules-store.ts";
import { readSettings, updateSettings } from "../domain/services/transfers/settings/settings-store.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";
import type { Sql } from "../platform/db/connection.ts";
import type { Cell } from "./cell.ts";

const MIRROR_MILLISECONDS = 750;

/** Keeps the settings of a cell up to date while home and the cell answer. */
export function mirrorJob(home: Cell, cell: Cell): PeriodicJob {
  const run = () => mirrorSettings(home.database.sql, cell.database.sql);
  return { name: "settings from home", everyMilliseconds: MIRROR_MILLISECONDS, quietMilliseconds: 5_000, atActivity: true, run };
}

type Grant = { readonly person: string; readonly granted_by: string; readonly how: string; readonly at: Date };

/**
 * Brings the settings of home that a cell's own transactions read into the cell: the approval rules, who gave whom access, and
 * the limits and fees of transfers. Repeating it changes nothing.
 */
export async function mirrorSettings(home: Sql, cell: Sql): Promise<void> {
  const [rules, transfers, grants] = await Promise.all([readRules(home), readSettings(home), readGrants(home)]);
  const [ownRules, ownTransfers, ownGrants] = await Promise.all([readRules(cell), readSettings(cell), readGrants(cell)]);
  const known = new Set(ownGrants.map(textOf));
  const missing = grants.filter((grant) => !known.has(textOf(grant)));
  const isSame = textOf(rules) === textOf(ownRules) && textOf(transfers) === textOf(ownTransfers) && missing.length === 0;
  if (isSame) return;
  await cell.begin(async (tx) => {
    await updateRules(tx, rules);
    await updateSettings(tx, transfers);
    for (const { person, granted_by, how, at } of missing)
      await tx`insert into staff_access_grants (person, granted_by, how, at) values (${person}, ${granted_by}, ${how}, ${at})`;
  });
}

async function readGrants(sql: Sql): Promise<readonly Grant[]> {
  return await sql<Grant[]>`select person, granted_by, how, at from staff_access_grants`;
}

function textOf(value: object): string {
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === "bigint" ? one.toString() : one));
}
