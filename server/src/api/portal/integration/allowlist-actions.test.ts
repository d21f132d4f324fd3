import { afterAll, beforeAll, expect, test } from "vitest";
import { createCallLog } from "../../../domain/api-log/call-log.ts";
import { aCall, addressOf } from "../../../domain/api-log/testing/calls.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

test("entries are added and removed as the gate reads them, and a wrong one is named", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const added = await owner.post("/allowlist/add", { entry: "203.0.113.77/24" });
  expect(added.body.entries).toEqual([{ entry: "203.0.113.0/24", last_hit_at: null }]);
  expect(fixture.settings.directory.byId(accountId)?.allowlist.admits(addressOf("203.0.113.9"))).toBe(true);
  expect((await owner.post("/allowlist/add", { entry: "203.0.113.0/24" })).body.entries).toHaveLength(1);
  const wrong = await owner.post("/allowlist/add", { entry: "<script>alert(1)</script>" });
  expect([wrong.status, wrong.body.fields.entry]).toEqual([400, "Must be an address or a CIDR range."]);
  expect((await owner.post("/allowlist/remove", { entry: "203.0.113.0/24" })).body.entries).toEqual([]);
  expect((await owner.post("/allowlist/remove", { entry: "203.0.113.0/24" })).status).toBe(404);
});

test("of many that add at once, every entry stays", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const wanted = Array.from({ length: 8 }, (_, place) => `198.51.100.${place + 1}`);
  await Promise.all(wanted.map((entry) => owner.post("/allowlist/add", { entry })));
  const { body } = await owner.get("/allowlist");
  expect(body.entries.map((one: { entry: string }) => one.entry).toSorted()).toEqual(wanted);
});

test("each entry shows its last hit, and refused callers their count, to their own account alone", async () => {
  const [{ accountId }, other] = [await fixture.newAccount(), await fixture.newAccount()];
  const owner = fixture.as("owner", accountId);
  await owner.post("/allowlist/add", { entry: "10.0.0.0/8" });
  await owner.post("/allowlist/add", { entry: "192.0.2.1" });
  const account = fixture.settings.directory.byId(accountId);
  if (!account) throw new Error("no account");
  const log = createCallLog({ sql: fixture.ctx.sql, log: { warn: () => {} } });
  const at = fixture.ctx.clock.now();
  log.record(aCall({ account, at, address: addressOf("10.4.4.4") }));
  for (let count = 0; count < 30; count++)
    log.record(aCall({ account, at, address: addressOf("203.0.113.5"), status: 403, error: "ip_not_allowed" }));
  await log.close();
  expect((await owner.get("/allowlist")).body).toEqual({
    entries: [
      { entry: "10.0.0.0/8", last_hit_at: indiaDateTime(at) },
      { entry: "192.0.2.1", last_hit_at: null },
    ],
    refused: [{ address: "203.0.113.5", last_at: indiaDateTime(at), count: 30 }],
  });
  expect((await fixture.as("owner", other.accountId).get("/allowlist")).body).toEqual({ entries: [], refused: [] });
});

test("addresses need a fresh proof", async () => {
  const { accountId } = await fixture.newAccount();
  const stale = fixture.as("owner", accountId, { provedAt: fixture.ctx.clock.now() - 6 * 60_000 });
  expect((await stale.post("/allowlist/add", { entry: "10.0.0.1" })).body.error).toBe("step_up_required");
  expect((await stale.post("/allowlist/remove", { entry: "10.0.0.1" })).body.error).toBe("step_up_required");
});
