import { beforeEach, expect, test } from "vitest";
import { createSigningFixture, indiaTime, type SigningFixture } from "./testing/fixture.ts";

let fixture: SigningFixture;
beforeEach(async () => {
  fixture = await createSigningFixture();
  return () => fixture.close();
});

/** Takes March's transfers out of the database while something reads, as the move of the month does, at the first wait for them. */
async function readWhileMarchLeaves<Result>(read: () => Promise<Result>): Promise<Result> {
  let reading: Promise<Result> | undefined;
  await fixture.owner.begin(async (tx) => {
    await tx`lock table transfers in access exclusive mode`;
    await tx`
      insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
      values ('2026-03', '0', '1', '', '', now())`;
    await tx`
      insert into ledger_closings (account_id, month, seq, available, held, cleared, funding, fees)
      select account_id, '2026-03', seq, available, held, cleared, funding, fees from wallets`;
    await tx`delete from transfers where at < ${indiaTime("2026-04-01")}`;
    reading = read();
    reading.catch(() => {});
    const waiters = async () =>
      await tx`
      select from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database() and a.backend_type = 'client backend'`;
    await expect.poll(async () => (await waiters()).length).toBeGreaterThan(0);
  });
  if (reading === undefined) throw new Error("Nothing was read.");
  return await reading;
}

test("a day whose month leaves while it is verified is archived, not broken", async () => {
  await fixture.addTransfers("A1", ["2026-03-02 10:00", "2026-03-02 11:00", "2026-03-03 10:00"]);
  fixture.setTime("2026-06-30 10:00");
  await fixture.sign();
  expect(await fixture.verify()).toMatchObject({ faults: [], archivedDays: 0 });
  expect(await readWhileMarchLeaves(fixture.verify)).toMatchObject({ faults: [], archivedDays: 2 });
});

test("a signed statement does not end as if it were complete when its month leaves", async () => {
  await fixture.addTransfers("A1", ["2026-03-02 10:00"]);
  fixture.setTime("2026-06-30 10:00");
  await fixture.sign();
  await expect(readWhileMarchLeaves(() => fixture.exportStatement("A1"))).rejects.toThrow("2026-03 left the database");
});
