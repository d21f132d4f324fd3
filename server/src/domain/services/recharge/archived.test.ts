import { beforeAll, expect, test } from "vitest";
import { orderIdAt } from "../../../platform/core/ids.ts";
import { switchService } from "../../catalog/switch-service.ts";
import { createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  return () => fixture.close();
});

const LEFT = expect.stringContaining("has been archived");

/** Leaves the database as the move of the present month would. */
async function archivePresent(): Promise<void> {
  const { owner } = fixture.orders;
  await owner`delete from orders`;
  await owner`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2026-01', ${orderIdAt(0)}, ${orderIdAt(Date.now() + 1)}, '', '', now())`;
}

test("an archived recharge is never charged again, and no reply says that it failed or never existed", async () => {
  const client = await fixture.newClient();
  const { body: first } = await client.recharge("old");
  await archivePresent();
  const refusal = { status: 409, body: { error: "duplicate_reference", code: 124, order_id: first["order_id"], message: LEFT } };
  expect(await client.recharge("old")).toMatchObject(refusal);
  expect(await client.recharge("old", { amount: "11" })).toMatchObject(refusal);
  await switchService(fixture.switches, "test", { service: "recharge", enabled: false });
  expect(await client.recharge("old")).toMatchObject(refusal);
  await switchService(fixture.switches, "test", { service: "recharge", enabled: true });
  const missing = { status: 404, body: { error: "not_found", message: LEFT } };
  expect(await client.get("/recharge", { urid: "old" })).toMatchObject(missing);
  expect(await client.get("/recharge", { order_id: String(first["order_id"]) })).toMatchObject(missing);
  const unknown = await client.get("/recharge", { urid: "never" });
  expect(unknown).toMatchObject({ status: 404, body: { message: "There is no recharge with this reference." } });
  expect((await client.get("/balance")).body["balance"]).toBe("990.0000");
});

test("a list names the archived months of its period in a header, and only those", async () => {
  const { owner } = fixture.orders;
  await owner`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2025-11', '0', '0', '', '', now()), ('2025-12', '0', '0', '', '', now())`;
  const { credentials } = await fixture.newClient();
  const archivedIn = async (path: string) => {
    const reply = await fetch(`${credentials.origin}/api/corp/v1${path}`, { headers: { "x-api-token": credentials.token } });
    expect(reply.status).toBe(200);
    return reply.headers.get("corprail-archived-months");
  };
  for (const list of ["/statement", "/transactions"]) {
    expect(await archivedIn(list)).toBeNull();
    expect(await archivedIn(`${list}?from=2025-12-05&to=2025-12-20`)).toBe("2025-12");
    expect(await archivedIn(`${list}?from=2025-11-25&to=2025-12-01`)).toBe("2025-11, 2025-12");
    expect(await archivedIn(`${list}?from=2025-10-01&to=2025-10-31`)).toBeNull();
  }
});
