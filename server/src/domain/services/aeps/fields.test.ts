import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServiceFixture, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { type AepsClient, aepsClient, OTP, type Outlet, ok, PID, PLACE } from "./testing/aeps-client.ts";

let fixture: ServiceFixture;
let client: AepsClient;
let outlet: Outlet;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await aepsClient(await fixture.newClient());
  outlet = await client.ready();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const long = (length: number, letter = "A") => letter.repeat(length);

/** For each field, what it must not be. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  request_id: ["", long(65), "a b", "a&b", "ü"],
  outlet_id: ["", long(65)],
  otp_ref: ["", long(65)],
  auth_ref: ["", long(65)],
  otp: ["", "11100", "1110000", "11100a", "１１１０００"],
  mobile: ["", "987650000", "98765000011", "5876500001", "+919876500001"],
  customer_mobile: ["", "987650000", "98765000011", "5876500001", "987650000x"],
  email: ["", "asha", "asha@", "@example.in", "a b@example.in", `${long(65)}@example.in`, `a@${long(300)}.in`],
  first_name: ["", " ", long(81), "a\nb"],
  last_name: ["", long(81), "\n"],
  shop_name: ["", long(81), "a\tb"],
  shop_type: ["", "541", "54111", "abcd"],
  pan: ["", "QWEPR9876", "qwepr9876t", "QWEPR9876TT"],
  aadhaar_enc: ["", long(1028), "A", "AA=A", "not base64!", "AAAA\n", "____"],
  pid: [""],
  "address.line": ["", long(201), " x", "a\nb"],
  "address.city": ["", long(81)],
  "address.state_code": ["", "MAHARASHTRA", "M H"],
  "address.pincode": ["", "41100", "4110011", "011001"],
  bank_account: ["", "12345", long(21, "1"), "12345678X"],
  ifsc: ["", "HDFC1001234", "hdfc0001234", "HDFC00012345"],
  "device.model": ["", long(81)],
  "device.serial": ["", long(65), "a b"],
  latitude: ["", "90.0001", "-91", "north", "1,5", "+1", "1.", ".5", "1e1"],
  longitude: ["", "180.0001", "-181", "east", "0x10"],
  bank_iin: ["", "60709", "6070944", "60709x"],
  consent: ["", "y", "N", "YES"],
  amount: ["", "0", "0.0", "-100", "1e3", "100.00001", "0100", "99999999999", "100 "],
  type: ["", "daily", "MONTHLY"],
};

const transaction = ["request_id", "outlet_id", "customer_mobile", "bank_iin", "aadhaar_enc", "pid", "latitude", "longitude", "consent"];
type Call = {
  readonly path: string;
  readonly body: () => Json;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
};

const CALLS: readonly Call[] = [
  {
    path: "/aeps/outlets",
    body: () => client.registration(),
    required: [
      ...["request_id", "mobile", "email", "first_name", "last_name", "shop_name", "shop_type", "pan", "aadhaar_enc"],
      ...["address.line", "address.city", "address.state_code", "address.pincode", "bank_account", "ifsc"],
      ...["device.model", "device.serial", "latitude", "longitude"],
    ],
  },
  { path: "/aeps/outlets/otp", body: () => ({ outlet_id: outlet.outletId }), required: ["outlet_id"] },
  {
    path: "/aeps/outlets/otp_verify",
    body: () => ({ outlet_id: outlet.outletId, otp_ref: "OTP1", otp: OTP }),
    required: ["outlet_id", "otp_ref", "otp"],
  },
  {
    path: "/aeps/outlets/biometric",
    body: () => ({ outlet_id: outlet.outletId, pid: PID, ...PLACE }),
    required: ["outlet_id", "pid", "latitude", "longitude"],
  },
  {
    path: "/aeps/auth",
    body: () => ({
      outlet_id: outlet.outletId,
      type: "TXN",
      bank_iin: "607094",
      aadhaar_enc: client.encrypt(outlet.owner),
      pid: PID,
      ...PLACE,
    }),
    required: ["outlet_id", "type", "aadhaar_enc", "pid", "latitude", "longitude", "bank_iin"],
  },
  ...["balance_enquiry", "mini_statement"].map((call) => ({
    path: `/aeps/${call}`,
    body: () => client.transaction(outlet),
    required: transaction,
    optional: ["auth_ref"],
  })),
  ...["cash_withdrawal", "aadhaar_pay"].map((call) => ({
    path: `/aeps/${call}`,
    body: () => client.transaction(outlet),
    required: [...transaction, "amount"],
    optional: ["auth_ref"],
  })),
];

/** A body with the field of that path set, or left out. */
function put(body: Json, path: string, value: unknown): Json {
  const [name = "", inner] = path.split(".");
  const { [name]: before, ...others } = body;
  const next = inner === undefined ? value : put(before as Json, inner, value);
  return next === undefined ? others : { ...others, [name]: next };
}

async function expectWrong(path: string, body: Json, field: string, value: unknown): Promise<void> {
  const reply = await client.post(path, body);
  expect({ field, value, ...reply }).toMatchObject({
    status: 400,
    body: { ok: false, status: "rejected", error: "invalid_request", code: 120, fields: { [field]: expect.any(String) } },
  });
  const said = JSON.stringify({ ...reply.body, request_id: "", urid: "" });
  if (typeof value === "string" && value.length > 3) expect(said).not.toContain(JSON.stringify(value).slice(1, -1));
  for (const hidden of ["aadhaar_enc", "pid"])
    if (typeof body[hidden] === "string" && body[hidden].length > 9) expect(said).not.toContain(body[hidden]);
}

describe.each(CALLS)("$path", ({ path, body, required, optional = [] }) => {
  test.each(required)("needs %s", async (field) => {
    await expectWrong(path, put(body(), field, undefined), field, undefined);
  });

  test.each([...required, ...optional])("takes %s as text only, and within its bounds", async (field) => {
    const sent = body();
    const values = [...(WRONG[field] ?? []), 7, null, true, ["x"], { a: "b" }];
    for (const value of values) await expectWrong(path, put(sent, field, value), field, value);
  });
});

test.each(["address", "device"])("an outlet's %s is an object", async (field) => {
  for (const value of [undefined, "x", 7, null, []])
    await expectWrong("/aeps/outlets", put(client.registration(), field, value), field, value);
});

test("what is at the edge of its bounds is taken", async () => {
  const { body } = await client.post("/aeps/outlets", {
    ...client.registration({
      request_id: long(64),
      first_name: long(80),
      last_name: "परमार",
      shop_name: "D'Souza & Sons (Pune), No. 1/2-B",
      latitude: "-90",
      longitude: "180.0000000000",
      bank_account: long(20, "1"),
      device: { model: long(80), serial: long(64) },
      address: { line: long(200), city: "पुणे", state_code: "27", pincode: "999999" },
    }),
    unknown_field: "is ignored",
  });
  expect(body).toMatchObject({ ok: true, outlet: { status: "OTP_PENDING", last_name: "परमार" } });
});

test("a PID block of the greatest length is taken, a body above 256 KiB is not", async () => {
  const head = `<PidData><Resp errCode="0"/><Data>`;
  const tail = "</Data></PidData>";
  const pid = head + long(256 * 1024 - 2048 - head.length - tail.length) + tail;
  await ok(client.post("/aeps/balance_enquiry", client.transaction(outlet, { pid })));
  const sent = client.transaction(outlet, { pid: long(257 * 1024) });
  expect(await client.post("/aeps/balance_enquiry", sent)).toMatchObject({ status: 413, body: { error: "body_too_large", code: 130 } });
});

test("an enquiry has no amount: one that is sent is ignored", async () => {
  const sent = client.transaction(outlet, { amount: "many" });
  expect(await ok(client.post("/aeps/balance_enquiry", sent))).toMatchObject({ amount: "0" });
});

test("the day's authentication needs no bank", async () => {
  await ok(client.authenticate(outlet));
  await expectWrong(
    "/aeps/auth",
    { ...PLACE, outlet_id: outlet.outletId, type: "DAILY", aadhaar_enc: "AAAA", pid: PID, bank_iin: "x" },
    "bank_iin",
    "x",
  );
});

test("the list of banks has fifteen, the first of them live, and is paged", async () => {
  const { items, next } = await ok(client.get("/aeps/banks"));
  expect(items).toHaveLength(15);
  expect(next).toBeNull();
  const [first] = items as readonly Json[];
  expect(first).toEqual({ bank_iin: "607094", name: "State Bank of India", status: "live", txn_auth_required: false });
  expect((items as readonly Json[]).filter((bank) => bank["status"] === "not_live")).toHaveLength(2);
  const page = await ok(client.get("/aeps/banks", { limit: "10" }));
  const rest = await ok(client.get("/aeps/banks", { after: String(page["next"]) }));
  expect([...(page["items"] as readonly Json[]), ...(rest["items"] as readonly Json[])]).toEqual(items);
  for (const query of [{ limit: "0" }, { limit: "201" }, { after: "zzz" }])
    expect((await client.get("/aeps/banks", query)).status).toBe(400);
});
