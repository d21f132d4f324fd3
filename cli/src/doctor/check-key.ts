import { statSync } from "node:fs";
import { readCredentials } from "@corprail/server/domain/accounts/store";
import { readKeyFile } from "@corprail/server/platform/crypto/key-file";
import { createKeyring } from "@corprail/server/platform/crypto/keyring";
import { loadOuterKey } from "@corprail/server/platform/crypto/outer-key";
import { credentialContext } from "@corprail/server/platform/crypto/vault";
import type { Sql } from "@corprail/server/platform/db/connection";
import { findKey } from "../backup/master-key.ts";
import { errorText } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { type Finding, fail, ok } from "./finding.ts";

const OPENED = 200;

/** Checks that the key file exists, is private and opens the sealed secrets. */
export async function checkKey(ctx: CommandContext, sql: Sql): Promise<{ readonly opens: boolean; readonly findings: readonly Finding[] }> {
  const installations = await sql`select 1 from installation`;
  if (installations.length === 0) return { opens: false, findings: [ok("master key", "none yet: the service's first start makes it")] };
  let path: string;
  try {
    path = await findKey(ctx, sql);
  } catch (error) {
    const advice = "Without it no token can be checked. Copy it from where you keep it.";
    return { opens: false, findings: [fail("master key", errorText(error), advice)] };
  }
  const opened = await checkOpens(sql, path, ctx);
  return { opens: opened.level === "ok", findings: [checkMode(path), opened] };
}

function checkMode(path: string): Finding {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return ok("master key", `${path}, mode ${mode.toString(8)}`);
  return fail(
    "master key",
    `${path} may be read by others, mode ${mode.toString(8)}`,
    `Run: chmod 600 ${path}, and consider corprail rotate-key.`,
  );
}

async function checkOpens(sql: Sql, path: string, { config }: CommandContext): Promise<Finding> {
  try {
    const keyring = createKeyring(await readKeyFile(path, await loadOuterKey(config.outerKey)));
    const rows = (await readCredentials(sql, "all")).slice(-OPENED);
    for (const row of rows)
      keyring.open({ keyId: row.key_id, sealed: row.sealed }, credentialContext(row.account_id, row.credential_id, row.kind));
    return ok("sealed secrets", `the newest ${rows.length} can be opened`);
  } catch (error) {
    return fail(
      "sealed secrets",
      `one cannot be opened: ${errorText(error)}`,
      "Is it this database's key file? corprail rotate-key completes a rotation that was interrupted.",
    );
  }
}
