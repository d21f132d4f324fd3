import { constants, publicEncrypt, randomBytes, randomInt } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PREFIX } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, type JsonRecord, newClient, operator } from "./harness/operator.ts";
import { type Installation, logLines, startInstallation } from "./harness/service.ts";
import { signatureHeaders } from "./harness/sign.ts";
import { withCheckDigit } from "./harness/verhoeff.ts";

// Contract, section 6: the PID block and the clear Aadhaar number are never stored nor logged.

const FLOW_MILLISECONDS = 180_000;

let installation: Installation;
let client: Client;
let sql: postgres.Sql;
let publicKey = "";
const replies: string[] = [];
const numbers: string[] = [];
const encrypted: string[] = [];
const OTP = "111000";
const finger = randomBytes(300).toString("base64");
const PID = `<PidData><Resp errCode="0" fCount="1"/><Skey ci="20301231">${randomBytes(60).toString("base64")}</Skey><Data type="X">${finger}</Data></PidData>`;
const PLACE = { latitude: "18.5204", longitude: "73.8567" };

beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_LOG_LEVEL: "trace", CORPRAIL_SIMULATOR_DELAY_MS: "200" });
  sql = postgres(installation.databaseUrl, { max: 1, onnotice: () => {} });
  client = await newClient(installation.service, {
    services: { aeps: true },
    settings: { money_per_minute: 10_000, get_per_minute: 10_000 },
  });
  publicKey = String((await call("GET", "/aeps/key"))["public_key_pem"]);
  const outlet = await flow();
  await mistakes(outlet);
  await faults(outlet);
}, FLOW_MILLISECONDS);
afterAll(async () => {
  await sql?.end();
  await installation?.close();
});

async function call(method: "GET" | "POST", path: string, body?: JsonRecord): Promise<JsonRecord> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const [bare = "", query = ""] = path.split("?");
  const signable = { method, path: PREFIX + bare, query: [...new URLSearchParams(query)], secret: client.secret };
  const headers = Object.fromEntries(signatureHeaders(bytes ? { ...signable, body: bytes } : signable));
  const reply = await fetch(`${installation.service.url}${PREFIX}${path}`, {
    method,
    headers: { "x-api-token": client.token, ...headers, ...(bytes ? { "content-type": "application/json" } : {}) },
    ...(bytes ? { body: bytes } : {}),
  });
  const text = await reply.text();
  replies.push(`${JSON.stringify([...reply.headers])} ${text}`);
  return JSON.parse(text) as JsonRecord;
}

async function good(path: string, body: JsonRecord): Promise<JsonRecord> {
  const reply = await call("POST", path, body);
  expect(reply).toMatchObject({ ok: true });
  return reply;
}

function newNumber(): string {
  const digits = withCheckDigit(
    `2${randomInt(0, 10 ** 10)
      .toString()
      .padStart(10, "0")}`,
  );
  numbers.push(digits);
  return digits;
}

function encrypt(text: string): string {
  const options = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  const base64 = publicEncrypt(options, Buffer.from(text)).toString("base64");
  encrypted.push(base64);
  return base64;
}

type Outlet = { readonly outletId: string; readonly owner: string };
const reference = () => randomBytes(8).toString("hex");

const transaction = (outlet: Outlet, more: JsonRecord = {}): JsonRecord => ({
  request_id: reference(),
  outlet_id: outlet.outletId,
  customer_mobile: "9876543000",
  bank_iin: "607094",
  aadhaar_enc: encrypt(newNumber()),
  pid: PID,
  ...PLACE,
  consent: "Y",
  amount: "500",
  ...more,
});
const registration = (owner: string): JsonRecord => ({
  ...{ request_id: reference(), mobile: "9876500001", email: "asha@example.in", first_name: "Asha", last_name: "Patil" },
  ...{ shop_name: "Asha Stores", shop_type: "5411", pan: "ABCPE1234F", bank_account: "12345678901", ifsc: "HDFC0001234" },
  ...{ aadhaar_enc: encrypt(owner), device: { model: "MFS100", serial: "S1" }, ...PLACE },
  address: { line: "12 Station Road", city: "Pune", state_code: "MH", pincode: "411001" },
});
const CALLS = ["balance_enquiry", "mini_statement", "cash_withdrawal", "aadhaar_pay"] as const;

/** Everything that the service does when all goes well, and every way a transaction can end. */
async function flow(): Promise<Outlet> {
  const owner = newNumber();
  const outletId = String(((await good("/aeps/outlets", registration(owner)))["outlet"] as JsonRecord)["outlet_id"]);
  const outlet = { outletId, owner };
  const { otp_ref } = await good("/aeps/outlets/otp", { outlet_id: outletId });
  await call("POST", "/aeps/outlets/otp_verify", { outlet_id: outletId, otp_ref, otp: "222333" });
  await good("/aeps/outlets/otp_verify", { outlet_id: outletId, otp_ref, otp: OTP });
  await good("/aeps/outlets/biometric", { outlet_id: outletId, pid: PID, ...PLACE });
  const authentication = { outlet_id: outletId, aadhaar_enc: encrypt(owner), pid: PID, ...PLACE };
  await good("/aeps/auth", { ...authentication, type: "DAILY" });
  const { auth_ref } = await good("/aeps/auth", { ...authentication, type: "TXN", bank_iin: "607264" });
  await good("/aeps/cash_withdrawal", transaction(outlet, { bank_iin: "607264", auth_ref }));
  for (const path of CALLS)
    for (const ending of ["000", "102", "200", "110", "120", "140", "141"]) {
      const sent = transaction(outlet, { customer_mobile: `9876543${ending}` });
      const { order_id } = await good(`/aeps/${path}`, sent);
      await good(`/aeps/${path}`, sent);
      await call("GET", `/aeps/transactions?order_id=${order_id}`);
      const seen = await operator(installation.service, "GET", `/orders/${order_id}`);
      replies.push(JSON.stringify(seen));
    }
  await call("GET", "/aeps/outlets");
  await call("GET", "/statement");
  await call("GET", "/transactions");
  return outlet;
}

/** What is secret in every field that it has no business in, and bodies that cannot be read. */
async function mistakes(outlet: Outlet): Promise<void> {
  const clear = newNumber();
  const right = newNumber();
  const wrong = right.slice(0, 11) + ((Number(right[11]) + 1) % 10);
  numbers.push(wrong);
  const bodies: readonly (readonly [string, JsonRecord])[] = [
    ["/aeps/outlets", registration(outlet.owner)],
    ["/aeps/outlets/biometric", { outlet_id: outlet.outletId, pid: PID, ...PLACE }],
    ["/aeps/auth", { outlet_id: outlet.outletId, type: "DAILY", aadhaar_enc: encrypt(outlet.owner), pid: PID, ...PLACE }],
    ["/aeps/cash_withdrawal", transaction(outlet)],
  ];
  for (const [path, body] of bodies) {
    const { request_id: _, ...others } = body;
    for (const name of Object.keys(others)) {
      for (const value of [PID, finger, { [clear]: clear }, [clear], Number(clear)]) await call("POST", path, { ...body, [name]: value });
      // As text a number may be a shop's name or a device's; in these fields it is nothing else.
      if (!["first_name", "last_name", "shop_name", "bank_account", "outlet_id"].includes(name))
        await call("POST", path, { ...body, [name]: clear });
    }
    await call("POST", path, { ...body, aadhaar_enc: encrypt(wrong) });
    await call("POST", path, { ...body, pid: PID.replace(`errCode="0"`, `errCode="730"`) });
    await call("POST", path, { ...body, pid: PID.replace("<Resp", `<DeviceInfo srno="S2"/><Resp`) });
    const text = JSON.stringify(body);
    for (const broken of [text.slice(0, -1), `${text}x`, text.replace(`"latitude"`, `"latitude":"","latitude"`)]) {
      const sent = Buffer.from(broken);
      const headers = Object.fromEntries(signatureHeaders({ method: "POST", path: PREFIX + path, body: sent, secret: client.secret }));
      const reply = await fetch(`${installation.service.url}${PREFIX}${path}`, {
        method: "POST",
        headers: { "x-api-token": client.token, "content-type": "application/json", ...headers },
        body: sent,
      });
      expect(reply.status).toBe(400);
      replies.push(await reply.text());
    }
  }
}

/** Transactions whose answer is an error of the inside, with stack traces in the log. */
async function faults(outlet: Outlet): Promise<void> {
  const owner = postgres(installation.databaseUrl, { max: 1, onnotice: () => {} });
  for (const table of ["aeps_transactions", "aeps_outlets", "aeps_authentications"]) {
    await owner.unsafe(`alter table ${table} rename to gone`);
    await call("POST", "/aeps/cash_withdrawal", transaction(outlet, { auth_ref: "AU1" }));
    await call("POST", "/aeps/outlets", registration(outlet.owner));
    await call("POST", "/aeps/outlets/biometric", { outlet_id: outlet.outletId, pid: PID, ...PLACE });
    await owner.unsafe(`alter table gone rename to ${table}`);
  }
  await owner.end();
  await until("calls are answered again", async () => (await call("POST", "/aeps/balance_enquiry", transaction(outlet)))["ok"] === true);
}

/** Every spelling under which what is secret could have been kept. */
function spellings(): readonly string[] {
  const written = (digits: string) => [
    digits,
    digits.replace(/(.{4})(?=.)/g, "$1 "),
    digits.replace(/(.{4})(?=.)/g, "$1-"),
    Buffer.from(digits).toString("hex"),
    Buffer.from(digits).toString("base64"),
  ];
  const blocks = [
    PID,
    JSON.stringify(PID).slice(1, -1),
    finger,
    Buffer.from(PID).toString("hex"),
    Buffer.from(PID).toString("base64"),
    "<PidData",
  ];
  const bytes = encrypted.map((base64) => Buffer.from(base64, "base64").toString("hex"));
  return [...numbers.flatMap(written), ...blocks, ...encrypted, ...bytes, "PRIVATE KEY"];
}

// Six digits may turn up in longer numbers and digests; alone they would be the password.
const PASSWORD = new RegExp(`(?<![0-9A-Za-z.])${OTP}(?![0-9A-Za-z])`);

function expectClean(place: string, text: string): void {
  const folded = text.toLowerCase();
  for (const spelling of spellings()) if (folded.includes(spelling.toLowerCase())) expect.fail(`${place} shows ${spelling.slice(0, 40)}`);
  if (PASSWORD.test(text)) expect.fail(`${place} shows the one-time password`);
}

test("the search would find what it looks for", () => {
  const [number = ""] = numbers;
  expect(numbers.length).toBeGreaterThan(30);
  expect(encrypted.length).toBeGreaterThan(30);
  for (const text of [number, `x ${number} x`, PID, JSON.stringify({ PID }), `"otp":"${OTP}"`, encrypted[0] ?? ""])
    expect(() => expectClean("this text", text)).toThrow("this text shows");
  expect(() => expectClean("this text", "123111000456 500.111000")).not.toThrow();
});

test("no reply shows an Aadhaar number, a PID block or a one-time password, not even of what was wrong", () => {
  expect(replies.length).toBeGreaterThan(250);
  const all = replies.join("\n");
  for (const error of ["invalid_request", "invalid_aadhaar", "invalid_pid", "device_not_registered", "internal_error", "otp_invalid"])
    expect(all).toContain(`"error":"${error}"`);
  expect(all).toContain("XXXX XXXX ");
  expectClean("A reply", all);
});

test("the log shows none, at its most talkative, though it tells of every request and fault", async () => {
  await until("the faults are in the log", () => installation.service.output().includes(`"error":"internal_error"`));
  const output = installation.service.output();
  expect(logLines(output).length).toBeGreaterThan(250);
  expect(output).toContain("/aeps/cash_withdrawal");
  expect(output).toContain("does not exist");
  expectClean("The log", output);
});

test("the metrics show none", async () => {
  const reply = await fetch(`${installation.service.url}/metrics`, {
    headers: { authorization: `Bearer ${installation.service.operatorKey}` },
  });
  const text = await reply.text();
  expect(text).toContain("corprail_");
  expectClean("/metrics", text);
});

test("no column of any table holds one in clear", async () => {
  const tables = await sql<
    { name: string }[]
  >`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename`;
  const rows = new Map<string, number>();
  for (const { name } of tables) {
    const found = await sql.unsafe<{ text: string }[]>(`select one::text as text from ${name} one`);
    rows.set(name, found.length);
    expectClean(`The table ${name}`, found.map((row) => row.text).join("\n"));
  }
  for (const name of [
    "aeps_encryption_key",
    "aeps_outlets",
    "aeps_authentications",
    "aeps_transactions",
    "order_results",
    "one_time_passwords",
    "orders",
  ])
    expect([name, (rows.get(name) ?? 0) > 0]).toEqual([name, true]);
});

test("the operator sees none", async () => {
  for (const path of ["/audit?limit=200", `/accounts/${client.accountId}`, "/callbacks?limit=200"]) {
    const reply = await operator(installation.service, "GET", path);
    expect(reply.status).toBe(200);
    expectClean(path, JSON.stringify(reply.body));
  }
});
