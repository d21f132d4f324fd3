import { appendAudit } from "@corprail/server/domain/audit/append";
import { connect, type Sql, type Transaction } from "@corprail/server/platform/db/connection";
import { makePartition } from "@corprail/server/platform/db/partitions/make-partitions";
import { partitionsNamed } from "@corprail/server/platform/db/partitions/partitioned-tables";
import { applyMigrations, migrate } from "@corprail/server/platform/db/schema/migrate";
import { grantPrivileges, takeRightsBack } from "@corprail/server/platform/db/schema/privileges";
import { readMigrations } from "@corprail/server/platform/db/schema/read-schema";
import { actor } from "../shared/actor.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { readBackupFile } from "./backup-file.ts";
import { copyIn } from "./copy-in.ts";
import { refuseUsed } from "./fresh-place.ts";
import type { Header } from "./header.ts";
import { keyPlace } from "./master-key.ts";
import { startProgress } from "./progress.ts";
import { quotedName, readTables, writeSequences } from "./tables.ts";

export type Loading = {
  readonly url: string;
  readonly path: string;
  readonly header: Header;
  readonly bytes: number;
  /** Called immediately before the commit. */
  readonly onCommit: () => void;
};

/** Creates the backup's schema, loads its rows in one transaction, then migrates to this version. */
export async function loadBackup(ctx: CommandContext, loading: Loading): Promise<void> {
  const { url, header } = loading;
  const { role } = await migrateTo(url, header);
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    for (const partition of partitionsNamed(header.partitions)) await makePartition(sql, partition);
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await takeRightsBack(tx);
      await refuseUsed(tx);
      await refuseOtherTables(tx, header);
      await tx.unsafe(`truncate ${header.tables.map(({ name }) => `public.${quotedName(name)}`).join(", ")}`);
      await fill(ctx, tx, loading);
      // The restored installation gets its own key file, so that a rotation does not affect the original installation.
      await tx`update installation set master_key_file = ${keyPlace(ctx)}`;
      await grantPrivileges(tx, role);
      loading.onCommit();
    });
    await migrate(url);
    await recordRestore(sql, header);
    await sql`analyze`;
  } finally {
    await close();
  }
}

/** Creates the schema of the backup's version. */
async function migrateTo(url: string, header: Header) {
  const wanted = (await readMigrations()).filter(({ version }) => header.migrations.some((applied) => applied.version === version));
  return await applyMigrations(url, wanted);
}

async function refuseOtherTables(tx: Transaction, header: Header): Promise<void> {
  const made = new Map((await readTables(tx)).map((table) => [table.name, table.columns]));
  const strange = header.tables.filter(({ name, columns }) => columns.some((column) => !made.get(name)?.includes(column)));
  const lacking = [...made.keys()].filter((name) => !header.tables.some((table) => table.name === name));
  const names = [...strange.map(({ name }) => name), ...lacking];
  if (names.length > 0) throw new Error(`The backup's tables are not those of its migrations: ${names.join(", ")}.`);
}

async function fill(ctx: CommandContext, tx: Transaction, { path, header, bytes }: Loading): Promise<void> {
  const progress = startProgress(ctx);
  const frames = readBackupFile(path, (read) => progress.show(() => `restoring: ${Math.floor((100 * read) / Math.max(bytes, 1))} %`));
  await copyIn(tx, header, frames).finally(progress.end);
  await writeSequences(tx, header.sequences);
}

async function recordRestore(sql: Sql, header: Header): Promise<void> {
  await sql.begin(async (tx) => {
    await appendAudit(tx, new Date(), {
      actor: actor(),
      action: "installation.restored",
      subject: { kind: "installation", id: header.installation_id },
      details: { backup_taken_at: header.taken_at, backup_version: header.corprail },
    });
  });
}
