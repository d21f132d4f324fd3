import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { giftCardRoutes } from "../../../../docs/examples/giftcards/routes.ts";
import { openApiDocument } from "../../api/client/openapi/document.ts";
import type { RoutesContext } from "../../api/client/routes.ts";
import { WAIT_MILLISECONDS } from "../../testing/deadline.ts";
import { type Client, createServiceFixture, type ServiceFixture } from "./testing/service-fixture.ts";

// docs/adding-a-service.md, run: a service that is a folder and a row, and nothing else.
const MIGRATION = new URL("../../../../docs/examples/giftcards/0100_giftcards.sql", import.meta.url);

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createServiceFixture({ added: { migration: await readFile(MIGRATION, "utf8"), routes: giftCardRoutes } });
  client = await fixture.newClient(100, { services: new Set(["giftcards"]) });
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const card = (requestId: string, more = {}) => ({
  request_id: requestId,
  brand: "CINEMA",
  mobile: "9876543000",
  message: "Enjoy",
  amount: "25",
  ...more,
});

test("it sells, holds the money, answers a retry with the first result and can be looked up", async () => {
  const sold = await client.signed.post("/giftcards", card("g1"));
  expect(sold).toMatchObject({
    status: 200,
    body: {
      ...{ ok: true, status: "SUCCESS", code: 0, error: "", request_id: "g1", urid: "g1", service: "giftcards", fee: "0.0000" },
      ...{ amount: "25", account: "9876543000", balance: "75.0000", message: "The gift card succeeded." },
      gift_card: { brand: "CINEMA", message: "Enjoy", voucher: expect.stringMatching(/^SIM/) },
    },
  });
  const orderId = sold.body["order_id"];
  expect((await client.signed.post("/giftcards", card("g1", { amount: "25.00" }))).body).toMatchObject({ order_id: orderId, amount: "25" });
  expect(await client.signed.post("/giftcards", card("g1", { message: "Other" }))).toMatchObject({
    status: 409,
    body: { ok: false, status: "rejected", error: "duplicate_reference", code: 124, order_id: orderId },
  });
  for (const query of [{ request_id: "g1" }, { order_id: String(orderId) }])
    expect((await client.signed.get("/giftcards", query)).body).toMatchObject({ order_id: orderId, gift_card: { brand: "CINEMA" } });
});

test("what is pending ends by itself, as on every service", async () => {
  expect((await client.signed.post("/giftcards", card("g2", { mobile: "9876543202" }))).body).toMatchObject({ status: "pending", code: 2 });
  await vi.waitFor(async () => {
    expect((await client.signed.get("/giftcards", { request_id: "g2" })).body).toMatchObject({ status: "FAILED", balance: "75.0000" });
  }, WAIT_MILLISECONDS);
});

test("it is signed without having asked for it, and checked in the order of every other service", async () => {
  expect(await client.post("/giftcards", card("g3"))).toMatchObject({ status: 401, body: { error: "invalid_signature", code: 113 } });
  const without = await fixture.newClient(100);
  expect(await without.signed.post("/giftcards", card("g3"))).toMatchObject({
    status: 200,
    body: { ok: false, status: "failed", error: "service_not_enabled", code: 331, order_id: "", request_id: "g3", balance: null },
  });
  expect(await without.signed.get("/giftcards", { request_id: "g3" })).toMatchObject({ status: 403, body: { code: 331 } });
  client.set({ services: new Set() });
  expect(await client.signed.post("/giftcards", card("g1"))).toMatchObject({ status: 403, body: { error: "service_not_enabled" } });
  expect(await client.signed.get("/giftcards", { request_id: "g1" })).toMatchObject({ status: 200, body: { status: "SUCCESS" } });
  client.set({ services: new Set(["giftcards"]), standing: "paused" });
  expect(await client.signed.post("/giftcards", card("g3"))).toMatchObject({ status: 200, body: { ok: false, error: "account_paused" } });
  expect(await client.signed.post("/giftcards", card("g1"))).toMatchObject({ status: 403, body: { error: "account_paused" } });
  client.set({ standing: "active", wallet: "suspended" });
  expect(await client.signed.post("/giftcards", card("g3"))).toMatchObject({ status: 200, body: { error: "wallet_suspended" } });
  client.set({ wallet: "active" });
  expect(await client.signed.post("/giftcards", card("g3", { amount: "5001" }))).toMatchObject({ status: 422, body: { code: 127 } });
  expect(await client.signed.post("/giftcards", card("g3", { amount: "80" }))).toMatchObject({ status: 402, body: { code: 126 } });
  expect(await client.signed.post("/giftcards", card("g3", { brand: "NONE" }))).toMatchObject({
    status: 400,
    body: { fields: { brand: expect.any(String) } },
  });
});

test("it is among the services, the transactions and the statement, and in the reference", async () => {
  const services = (await client.get("/services")).body["items"];
  expect(services).toContainEqual(
    expect.objectContaining({ service: "giftcards", name: "Gift cards", enabled: true, signing: "required" }),
  );
  expect((await client.get("/transactions", { service: "giftcards" })).body["items"]).toHaveLength(2);
  const lines = (await client.get("/statement")).body["items"] as { narration: string }[];
  expect(lines.map((line) => line.narration)).toContain("giftcards CINEMA 9876543000");
  const document = openApiDocument(giftCardRoutes({} as RoutesContext));
  expect(Object.keys(document["paths"] as object)).toEqual(["/api/corp/v1/giftcards"]);
});
