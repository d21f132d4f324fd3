import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { anchorOfCell } from "@corprail/server/domain/signing/anchor-file";
import type { Fault } from "@corprail/server/domain/signing/verify-account";
import { type SignedVerification, verifyDatabase } from "@corprail/server/domain/signing/verify-database";
import { loadOuterKey } from "@corprail/server/platform/crypto/outer-key";
import { loadVault, type Vault } from "@corprail/server/platform/crypto/vault";
import type { Sql } from "@corprail/server/platform/db/connection";
import { type ConnectedCell, cellOfAccount, withCells } from "../cell/find-cells.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { type EvidenceOptions, verifyFile } from "./verify-file.ts";

export type VerifyOptions = EvidenceOptions & { readonly account?: string };

/** Verifies a signed statement file, or everything that is signed in the database. It only reads, so a standby's address will do. */
export async function verifyStatement(ctx: CommandContext, file: string | undefined, options: VerifyOptions): Promise<Outcome> {
  if (file !== undefined) return await verifyFile("statement", file, options);
  const anchor = options.anchor === undefined ? ctx.config.auditAnchorFile : resolve(options.anchor);
  if (options.anchor !== undefined && !existsSync(anchor)) return failed(`There is no anchor file ${anchor}.`);
  return await withCells(ctx, async (cells) => outcomeOf(await verifyCells(ctx, cells, { ...options, anchor })));
}

async function verifyCells(
  ctx: CommandContext,
  cells: readonly ConnectedCell[],
  options: VerifyOptions & { readonly anchor: string },
): Promise<SignedVerification> {
  const [home] = cells;
  const vault = home ? await findVault(ctx, home.sql) : null;
  if (vault === null && options.key === undefined)
    ctx.note("The master key is not on this machine and --key is missing, so a ledger signed again with another key is not found.");
  const cellOfOnly = home && options.account !== undefined ? await cellOfAccount(home.sql, options.account) : null;
  const found: SignedVerification[] = [];
  for (const { cell, sql } of cells) {
    const accountIds = options.account === undefined ? null : cell === cellOfOnly ? [options.account] : [];
    const verification = { vault, keyId: options.key ?? null, accountIds, cells: cells.map((one) => one.sql) };
    found.push(await verifyDatabase(sql, { ...verification, anchor: anchorOfCell(options.anchor, cell) }));
  }
  noteGaps(ctx, options.anchor, cells, found);
  return found.reduce(addFound);
}

/** What could not be verified. */
function noteGaps(ctx: CommandContext, anchor: string, cells: readonly ConnectedCell[], found: readonly SignedVerification[]): void {
  for (const [place, { anchors, runs }] of found.entries())
    if (anchors === null && runs > 0)
      ctx.note(
        `There is no anchor file ${anchorOfCell(anchor, cells[place]?.cell ?? 0)}, so that the removal of the newest signed days is not found.`,
      );
  const archivedDays = found.reduce((sum, one) => sum + one.archivedDays, 0);
  if (archivedDays > 0)
    ctx.note(`The transfers of ${archivedDays} signed days were archived. Only signatures and balances of these days were checked.`);
}

/** All cells together. The last day is the one up to which every cell is signed. */
function addFound(one: SignedVerification, other: SignedVerification): SignedVerification {
  const days = [one.lastDay, other.lastDay].filter((day) => day !== null).sort();
  return {
    faults: [...one.faults, ...other.faults],
    accounts: one.accounts + other.accounts,
    archivedDays: one.archivedDays + other.archivedDays,
    runs: one.runs + other.runs,
    lastDay: days[0] ?? null,
    anchors: one.anchors === null && other.anchors === null ? null : (one.anchors ?? 0) + (other.anchors ?? 0),
    keyIds: [...new Set([...one.keyIds, ...other.keyIds])],
  };
}

/** The installation's master key, if this machine has it. */
async function findVault({ config }: CommandContext, sql: Sql): Promise<Vault | null> {
  const [row] = await sql<{ master_key_file: string }[]>`select master_key_file from installation`;
  const paths = [config.masterKeyFile, join(config.dataFolder, "master-key"), row?.master_key_file].filter(
    (path) => typeof path === "string",
  );
  const path = paths.find((one) => existsSync(one));
  return path === undefined ? null : await loadVault(path, await loadOuterKey(config.outerKey));
}

function outcomeOf({ faults, accounts, archivedDays, runs, lastDay, anchors, keyIds }: SignedVerification): Outcome {
  const fields = {
    ...{ accounts, runs, last_day: lastDay, anchored_runs: anchors, archived_days: archivedDays, keys: keyIds },
    faults: faults.map(({ accountId, day, seq, why }) => ({ account_id: accountId, day, seq, why })),
  };
  if (faults.length > 0) return failed("The ledger is not as it was signed.", fields, faults.map(faultText).join("\n"));
  if (runs === 0) return done("Nothing is signed yet. A day is signed after it has ended in India.", fields);
  return done(`The ledger is as it was signed up to ${lastDay}. Runs: ${runs}, accounts: ${accounts}.`, fields);
}

function faultText({ accountId, day, seq, why }: Fault): string {
  const place = [accountId && `account ${accountId}`, day && `day ${day}`, seq !== undefined && `transfer ${seq}`].filter(Boolean);
  return place.length === 0 ? why : `${place.join(", ")}: ${why}`;
}
