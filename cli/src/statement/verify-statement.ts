import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Fault } from "@corprail/server/domain/signing/verify-account";
import { type SignedVerification, verifyDatabase } from "@corprail/server/domain/signing/verify-database";
import { loadOuterKey } from "@corprail/server/platform/crypto/outer-key";
import { loadVault, type Vault } from "@corprail/server/platform/crypto/vault";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { severalCellsFault } from "../cell/find-cells.ts";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { schemaFault } from "../schema.ts";
import { type EvidenceOptions, verifyFile } from "./verify-file.ts";

export type VerifyOptions = EvidenceOptions & { readonly account?: string };

/** Verifies a signed statement file, or everything that is signed in the database. It only reads, so a standby's address will do. */
export async function verifyStatement(ctx: CommandContext, file: string | undefined, options: VerifyOptions): Promise<Outcome> {
  if (file !== undefined) return await verifyFile("statement", file, options);
  return await withDatabase(ctx, "existing", async (url) => {
    const { sql, close } = connect({ url, connections: 1, role: null });
    try {
      const fault = (await schemaFault(sql)) ?? (await severalCellsFault(sql));
      return fault === null ? await verifyOn(ctx, sql, options) : failed(fault);
    } finally {
      await close();
    }
  });
}

async function verifyOn(ctx: CommandContext, sql: Sql, options: VerifyOptions): Promise<Outcome> {
  const anchor = options.anchor === undefined ? ctx.config.auditAnchorFile : resolve(options.anchor);
  if (options.anchor !== undefined && !existsSync(anchor)) return failed(`There is no anchor file ${anchor}.`);
  const vault = await findVault(ctx, sql);
  if (vault === null && options.key === undefined)
    ctx.note("The master key is not on this machine and --key is missing, so a ledger signed again with another key is not found.");
  const found = await verifyDatabase(sql, { anchor, vault, keyId: options.key ?? null, accountId: options.account ?? null });
  if (found.anchors === null && found.runs > 0)
    ctx.note(`There is no anchor file ${anchor}, so that the removal of the newest signed days is not found.`);
  if (found.archivedDays > 0)
    ctx.note(`The transfers of ${found.archivedDays} signed days were archived. Only signatures and balances of these days were checked.`);
  return outcomeOf(found);
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
