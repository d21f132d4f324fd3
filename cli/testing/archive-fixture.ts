import { createOrdersFixture, type OrdersFixture, type OrdersProcess } from "../../server/src/domain/orders/testing/fixture.ts";

/** An installation with one process, whose months can be archived. */
export async function createArchiveFixture(): Promise<{ readonly fixture: OrdersFixture; readonly process: OrdersProcess }> {
  const fixture = await createOrdersFixture();
  await fixture.owner`
    insert into installation (installation_id, created_at, master_key_file, master_key_id) values ('I1', now(), '/nowhere', 'K1')`;
  return { fixture, process: fixture.startProcess() };
}
