import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { findKeyFile } from "@corprail/server/accounts/find-key-file";
import { rotateMasterKey } from "@corprail/server/accounts/rotate-master-key";
import { openVault } from "@corprail/server/accounts/vault";
import { connect, type Sql } from "@corprail/server/db/connection";
import { migrate } from "@corprail/server/db/migrate";
import { systemClock } from "@corprail/server/kernel/clock";
import { randomIds } from "@corprail/server/kernel/ids";
import { PROVIDER_SECRETS } from "@corprail/server/upstream/reseal-providers";
import { withDatabase } from "./find-database.ts";
import { done, errorText, failed, type Outcome } from "./outcome.ts";
import type { CommandContext } from "./run-command.ts";
import { schemaFault } from "./schema.ts";

// The rotation keeps one for its lock and works on the others.
const CONNECTIONS = 3;

/** Replaces the master key while services run, or while none does. */
export async function rotateKey(ctx: CommandContext): Promise<Outcome> {
  return await withDatabase(ctx, "existing", async (url) => {
    const fault = await databaseFault(url);
    if (fault !== null) return failed(fault);
    // Applies nothing here, but refuses a newer version's database: that may seal what this version does not know of.
    const { role } = await migrate(url);
    const { sql, close } = connect({ url, connections: CONNECTIONS, role });
    try {
      return await rotateOn(ctx, sql);
    } finally {
      await close();
    }
  });
}

async function databaseFault(url: string): Promise<string | null> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const fault = await schemaFault(sql);
    if (fault !== null) return fault;
    const installations = await sql`select installation_id from installation`;
    if (installations.length === 0) return "This database has no master key yet. The service's first start makes it.";
    return null;
  } finally {
    await close();
  }
}

async function rotateOn(ctx: CommandContext, sql: Sql): Promise<Outcome> {
  const { config, note } = ctx;
  const [clock, ids] = [systemClock(config.clockOffsetSeconds), randomIds()];
  const inDataFolder = join(config.dataFolder, "master-key");
  const path = await findKeyFile({ sql, clock, ids, configured: config.masterKeyFile, inDataFolder });
  const fault = await ownerFault(path);
  if (fault !== null) return failed(fault);
  note(`Rotating the master key in ${path}. Running services go on working; this takes a few seconds.`);
  const accounts = { sql, clock, ids, vault: await openVault(path), refresh: async () => {} };
  const onProgress = (resealed: number) => note(`${resealed} sealed again`);
  try {
    const result = await rotateMasterKey(accounts, actor(), { path, onProgress, others: [PROVIDER_SECRETS] });
    if (result.kind === "conflict") return failed(result.reason);
    const words = `The master key is now ${result.keyId}; ${result.resealed} tokens and secrets were sealed again.`;
    return done(words, { key_id: result.keyId, resealed: result.resealed, key_file: path });
  } catch (error) {
    return failed(`The rotation stopped: ${errorText(error)}. Nothing is lost; run the command again to complete it.`);
  }
}

// The file is replaced by one of ours with mode 0600: as another user we would take it away from the service.
async function ownerFault(path: string): Promise<string | null> {
  const { uid } = await stat(path);
  const ours = process.getuid?.();
  return ours === undefined || ours === uid ? null : `The key file ${path} belongs to user ${uid}. Run this command as that user.`;
}

function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // A container's user often has no name.
    return `cli:${process.getuid?.() ?? "unknown"}`;
  }
}
