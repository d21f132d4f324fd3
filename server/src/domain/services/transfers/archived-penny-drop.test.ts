import { beforeEach, expect, test } from "vitest";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import { keepVerifiedNames } from "./beneficiaries/penny-drop-store.ts";
import { createFixture, newParties, ok, ref } from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeEach(async () => {
  fixture = await createFixture();
  return () => fixture.close();
});

const drop = (client: Client, beneficiary_id: string) =>
  ok(client.signed.post("/transfers/beneficiaries/verify", { request_id: ref(), beneficiary_id }));

test("a beneficiary stays verified when the month of its penny drop leaves for the archive", async () => {
  const client = await fixture.newClient(100);
  const { sender, beneficiary_id } = await newParties(client);
  await drop(client, beneficiary_id);
  const read = async () => (await ok(client.signed.get("/transfers/beneficiaries", { sender })))["items"] as readonly Json[];
  const before = await read();
  expect(before).toMatchObject([{ verified: true, verified_name: expect.stringMatching(/./) }]);
  const { owner } = fixture.orders;
  await keepVerifiedNames(owner, "", "Z");
  await owner`delete from order_results`;
  await owner`delete from orders`;
  expect(await read()).toEqual(before);
});
