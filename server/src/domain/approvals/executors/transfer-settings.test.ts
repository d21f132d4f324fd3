import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { readSettings } from "../../services/transfers/settings/settings-store.ts";
import type { Agreed } from "../approval.ts";
import { transferSettingsExecutor } from "./transfer-settings.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const AT = 1_790_000_000_000;

async function carryOut(changes: Readonly<Record<string, { readonly from: string; readonly to: string }>>) {
  const agreed = { approvalId: "AP1", madeBy: "staff:one", decidedBy: "staff:two", reason: null, input: { changes } } as unknown as Agreed;
  return await database.sql.begin((tx) => transferSettingsExecutor.run(tx, agreed, AT));
}

test("approved limits and fees are set, and the audit log names who agreed", async () => {
  const done = await carryOut({ fee_percent: { from: "1.00", to: "1.25" }, max_amount: { from: "5000.0000", to: "6000.0000" } });
  expect(done).toMatchObject({ kind: "done" });
  expect(await readSettings(database.sql)).toMatchObject({ maxAmount: 60_000_000n, fee: { basisPoints: 125n, least: 100_000n } });
  const [entry] = await database.sql<{ actor: string; details: string }[]>`
    select actor, details from audit_log where action = 'transfers.settings_changed'`;
  expect({ ...entry, details: JSON.parse(entry?.details ?? "") }).toMatchObject({
    actor: "staff:two",
    details: { changes: { fee_percent: { from: "1.00", to: "1.25" } } },
  });
});

test("what was changed meanwhile is not changed again by an older agreement", async () => {
  const failed = await carryOut({ fee_percent: { from: "1.00", to: "2.00" } });
  expect(failed).toEqual({ kind: "failed", reason: "The settings were changed in the meantime." });
  expect(await readSettings(database.sql)).toMatchObject({ fee: { basisPoints: 125n } });
});
