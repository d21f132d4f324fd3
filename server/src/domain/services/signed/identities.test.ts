import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { aepsClient } from "../aeps/testing/aeps-client.ts";
import { DIRECT_WITH_FEE, MOBILE, paramsOf } from "../bills/testing/payer.ts";
import { type BusFixture, blockBody, createBusFixture, freeSeats, passenger } from "../bus/testing/travel.ts";
import type { Client, Json } from "../testing/service-fixture.ts";

let fixture: BusFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  client = await fixture.newClient(1_000_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

/** A request with identities, and the same one with another identity. */
type Example = { readonly path: string; readonly sent: Json; readonly changed: readonly Json[] };

const examples: readonly (readonly [string, () => Promise<Example>])[] = [
  [
    "a payer's PAN",
    async () => {
      const biller = { biller_id: DIRECT_WITH_FEE, params: paramsOf(DIRECT_WITH_FEE), customer_mobile: MOBILE };
      const sent = { request_id: "pan", ...biller, amount: "50000.0000", payment_mode: "UPI", payer_name: "Asha", payer_pan: "ZZZPZ9876Z" };
      return { path: "/bills/pay", sent, changed: [{ ...sent, payer_pan: "ZZZPZ9876Y" }] };
    },
  ],
  [
    "an outlet's PAN and bank account",
    async () => {
      const { registration } = await aepsClient(client);
      const sent = registration({ request_id: "outlet" });
      return {
        path: "/aeps/outlets",
        sent,
        changed: [
          { ...sent, pan: "ABCPE1234G" },
          { ...sent, bank_account: "98765432109" },
        ],
      };
    },
  ],
  [
    "a passenger's proof of identity",
    async () => {
      const tripId = fixture.trip(2);
      const [seat = ""] = await freeSeats(client, tripId);
      const withNumber = (id_number: string) => [passenger(seat, { id_type: "AADHAAR", id_number })];
      const sent = blockBody(tripId, [seat], { passengers: withNumber("999941057058") });
      return { path: "/bus/block", sent, changed: [{ ...sent, passengers: withNumber("999941057059") }] };
    },
  ],
];

const NO_DETAILS = new Set(["request_id", "aadhaar_enc", "latitude", "longitude"]);

/** What anybody can compute from a guessed request. */
function plainDigest(sent: Json): string {
  const details = Object.fromEntries(Object.entries(sent).filter(([name]) => !NO_DETAILS.has(name))) as JsonObject;
  return createHash("sha256").update(canonicalJson(details)).digest("hex");
}

// Contract, sections 2 ("same details") and 6.
test.each(examples)("%s counts as a detail, but the database has nothing to check a guess with", async (_name, prepare) => {
  const { path, sent, changed } = await prepare();
  const first = await client.signed.post(path, sent);
  expect(first).toMatchObject({ status: 200, body: { ok: true } });
  const { owner } = fixture.orders;
  const rows = await owner<{ fingerprint: string }[]>`select fingerprint from orders union all select fingerprint from idempotent_requests`;
  expect(rows.filter(({ fingerprint }) => fingerprint.includes(plainDigest(sent)))).toEqual([]);
  expect((await client.signed.post(path, sent)).status).toBe(200);
  for (const body of changed) expect(await client.signed.post(path, body)).toMatchObject({ status: 409, body: { code: 124 } });
});
