import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBackupFile } from "./backup-file.ts";
import { BrokenBackup } from "./frames.ts";
import type { Header } from "./header.ts";
import { inspectBackup } from "./inspect-backup.ts";

const TABLES = ["accounts", "orders", "wallets"].map((name) => ({ name, columns: ["account_id", "note"] }));
const HEADER: Header = {
  corprail: "0.1.0",
  taken_at: "2026-01-31T00:00:00Z",
  postgres: "18.1",
  installation_id: "I1",
  backup_id: "B1",
  cell: 0,
  other_cells: [],
  master_key_ids: ["k1"],
  master_key: null,
  migrations: [{ version: 1, name: "schema", checksum: "00" }],
  tables: TABLES,
  partitions: [],
  sequences: [],
};

let folder: string;
let whole: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "corprail-inspect-"));
  const path = join(folder, "whole.backup");
  await writeBackupFile(path, async (writer) => {
    await writer.header(HEADER);
    for (const table of TABLES) {
      await writer.table(table);
      await writer.rows(Buffer.from("A1\tfirst\nA2\tsecond\n"));
      await writer.tableEnd(2);
    }
  });
  whole = gunzipSync(readFileSync(path));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const quiet = { environment: {}, note: () => {}, mayAsk: false } as unknown as Parameters<typeof inspectBackup>[0];

async function inspected(bytes: Buffer): Promise<unknown> {
  const path = join(folder, "changed.backup");
  writeFileSync(path, gzipSync(bytes));
  return await inspectBackup(quiet, path).catch((error: unknown) => error);
}

test("a whole backup is read to its end", async () => {
  expect(await inspected(whole)).toMatchObject({ header: { installation_id: "I1" }, rows: 6 });
});

test("a byte that was changed anywhere is reported as a broken backup", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (place, by) => {
      const changed = Buffer.from(whole);
      changed.writeUInt8((changed.readUInt8(place) ^ by) & 255, place);
      expect(await inspected(changed)).toBeInstanceOf(BrokenBackup);
    }),
    { numRuns: 300 },
  );
});
