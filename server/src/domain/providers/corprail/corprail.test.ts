import { isTransaction, type QueryName, REQUIRED_OPERATIONS } from "@corprail/connector";
import { expect, test } from "vitest";
import { testEgress } from "../testing/egress.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { type Received, startUnrulyServer } from "../testing/unruly-server.ts";
import { createCorprailConnector } from "./corprail.ts";
import { corprailOperations } from "./operations.ts";
import { CORPRAIL_SERVICES, type CorprailService, readCorprailSettings } from "./settings.ts";
import { signature } from "./sign-call.ts";

const SECRETS = { token: "tok_live_x", signingSecret: "sig_x", callbackSecret: "cbk_x" };
const TICKET = { reference: "R1", provider_ref: "", pnr: "P1", trip_id: "T1", seats: ["A1"] };
const PERSON = { mobile: "9876543210", first_name: "Asha", last_name: "", pincode: "411001", latitude: "", longitude: "" };
const PAYEE = { sender: "9876543210", name: "Ravi", account: "50100123456789", ifsc: "HDFC0001234", mobile: "" };
const GIVEN = { otp: "111000", otp_ref: "OTP1", beneficiary_ref: "BEN1" };
const FETCH = { reference: "R1", biller_id: "B1", params: {}, customer_mobile: "9876543210", created_at: 1, provider_ref: "" };
const OUTLET = { agent_code: "OUT1", mobile: "9876543210", latitude: "19", longitude: "72" };
const SEARCH = { from: "PUN", to: "GOA", date: "2030-01-01" };
// One valid input for each query.
const INPUTS: Partial<Record<QueryName, object>> = {
  lookup: { number: "9876543210" },
  plans: { operator: "AT", circle: null },
  "complaints.raise": { reference: "R1", complaint_reference: "", service: "bus", reason: "other", description: "No bus came." },
  "complaints.status": { complaint_ref: "CMP000000000000", reference: "R1", provider_ref: "" },
  "bills.fetch": FETCH,
  "bills.fetch_status": FETCH,
  "transfers.sender.register": PERSON,
  "transfers.sender.resend_otp": { ...PERSON, ...GIVEN },
  "transfers.sender.verify": { ...PERSON, ...GIVEN },
  "transfers.beneficiary.add": PAYEE,
  "transfers.beneficiary.verify": { ...PAYEE, ...GIVEN },
  "transfers.beneficiary.delete": { ...PAYEE, ...GIVEN },
  "transfers.send_otp": { reference: "R1", ...PAYEE, ...GIVEN, amount: "100", mode: "IMPS" },
  "bus.trips": SEARCH,
  "bus.seats": { trip_id: "T1", ...SEARCH },
  "bus.block": {
    reference: "R1",
    trip_id: "T1",
    ...SEARCH,
    boarding_id: "B1",
    dropping_id: "",
    passengers: [],
    mobile: "9",
    email: "a@b.in",
  },
  "bus.ticket": TICKET,
  "bus.cancel_quote": TICKET,
  "bus.cancel": { ...TICKET, cancel_reference: "C1" },
  "aeps.outlet.register": { ...OUTLET, outlet_id: "O1", aadhaar: "1".repeat(12) },
  "aeps.outlet.send_otp": OUTLET,
  "aeps.outlet.verify_otp": { ...OUTLET, ...GIVEN },
  "aeps.outlet.biometric": { ...OUTLET, pid: "<p/>" },
  "aeps.authenticate": { ...OUTLET, type: "DAILY", aadhaar: "1".repeat(12), pid: "<p/>", bank_iin: "" },
};
const clock = { now: () => 1_750_000_000_999 };

async function received(
  run: (connector: ReturnType<typeof createCorprailConnector>) => Promise<unknown>,
  more: object = {},
): Promise<readonly Received[]> {
  const server = await startUnrulyServer("server error", () => ({ status: 200, body: "" }));
  const read = readCorprailSettings({ base_url: server.origin, plain_http: true, ...more });
  if (!read.ok) throw new Error("The settings are wrong.");
  const connector = createCorprailConnector({ settings: read.settings, secrets: SECRETS, clock, egress: testEgress() });
  await run(connector);
  await connector.close();
  await server.close();
  return server.received;
}

test("a request carries our reference as urid and is signed over the bytes that are sent", async () => {
  const request = providerRequest({ amount: "199.5", target: "9876543210", circle: "DL" });
  const [post, get] = await received(async (connector) => {
    await connector.send(request, NEVER);
    await connector.ask(request, NEVER);
  });
  expect(JSON.parse(post?.body ?? "")).toEqual({
    account: "9876543210",
    operator: "AT",
    amount: "199.5000",
    urid: request.reference,
    circle: "DL",
  });
  expect(post?.headers).toMatchObject({ "x-api-token": "tok_live_x", "x-api-timestamp": "1750000000", "content-type": "application/json" });
  expect(get?.url).toBe(`/api/corp/v1/recharge?urid=${request.reference}`);
  for (const [call, query] of [
    [post, []],
    [get, [["urid", request.reference]]],
  ] as const) {
    const stamp = { timestamp: "1750000000", nonce: String(call?.headers["x-api-nonce"]) };
    const signed = { method: call?.method as "GET" | "POST", path: "/api/corp/v1/recharge", query, body: call?.body ?? "" };
    expect(call?.headers["x-api-signature"]).toBe(signature(signed, stamp, "sig_x"));
  }
  expect(post?.headers["x-api-nonce"]).not.toBe(get?.headers["x-api-nonce"]);
});

test("what it cannot carry is not sent", async () => {
  const seen = await received(
    async (connector) => {
      expect((await connector.send(providerRequest({ service: "bills" }), NEVER)).kind).toBe("not_sent");
      expect((await connector.send(providerRequest({ service: "transfers" }), NEVER)).kind).toBe("not_sent");
      expect((await connector.send(providerRequest({ service: "bus", operation: "fly" }), NEVER)).kind).toBe("not_sent");
      expect((await connector.send(providerRequest({ operator: "JO" }), NEVER)).kind).toBe("not_sent");
    },
    { operators: { AT: "AIRTEL" }, services: ["recharge", "bills", "bus"] },
  );
  expect(seen).toEqual([]);
});

test("the operations are those of the chosen services", () => {
  const of = (...services: CorprailService[]) => corprailOperations(services);
  for (const [service, required] of Object.entries(REQUIRED_OPERATIONS)) {
    const chosen = of(service as CorprailService);
    for (const name of [...required, "balance", "complaints.raise"] as const) expect(chosen).toContain(name);
    expect(
      [...chosen].filter((name) => Object.keys(REQUIRED_OPERATIONS).some((one) => one !== service && name.startsWith(`${one}.`))),
    ).toEqual([]);
  }
  expect(of("recharge")).toEqual(new Set(["balance", "complaints.raise", "complaints.status", "lookup", "plans", "recharge.pay"]));
  expect(of(...CORPRAIL_SERVICES)).not.toContain("otp.send");
});

test("every operation that it claims is carried out, and a query that it does not do is unavailable", async () => {
  await received(async (connector) => {
    for (const name of connector.operations) {
      if (isTransaction(name)) continue;
      const result = await connector.query(name, INPUTS[name] as never, NEVER);
      // The server answers 502 to everything.
      expect(result).toEqual({ kind: "unavailable", why: expect.stringMatching(/^HTTP 502/) });
    }
    expect(await connector.query("otp.send", { mobile: "9", code: "1", purpose: "x" }, NEVER)).toMatchObject({ kind: "unavailable" });
  });
});

test.each([
  [{ base_url: "https://x.example/api" }, "base_url"],
  [{ base_url: "https://u:p@x.example" }, "base_url"],
  [{ base_url: "http://x.example" }, "base_url"],
  [{ base_url: "https://x.example", token: "tok" }, "token"],
  [{ base_url: "https://x.example", services: [] }, "services"],
  [{ base_url: "https://x.example", services: ["lottery"] }, "services[0]"],
  [{}, "base_url"],
])("settings %j are refused at %s", (value, path) => {
  const read = readCorprailSettings(value);
  expect(read.ok ? [] : read.faults.map((fault) => fault.path)).toContain(path);
});
