import {
  AccountRefusedError,
  Corprail,
  type CorprailOptions,
  CredentialError,
  DuplicateReferenceError,
  InsufficientBalanceError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  SignatureError,
} from "@corprail/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, change, newCallbackSecret, newClient, type Wanted } from "./harness/operator.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
let client: Client;
let corprail: Corprail;
beforeAll(async () => {
  installation = await sharedInstallation();
  client = await funded();
  corprail = sdk(client);
});
afterAll(() => installation?.close());

async function funded(wanted: Wanted = {}): Promise<Client> {
  const made = await newClient(installation.service, wanted);
  await change(installation.service, `/accounts/${made.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  return made;
}

function sdk(of: Client, options: Partial<CorprailOptions> = {}): Corprail {
  return new Corprail({ baseUrl: installation.service.url, token: of.token, signingSecret: of.secret, ...options });
}

let count = 0;
const input = (account: string, amount = "10.00") => ({ urid: `sdk-${++count}`, account, operator: "AT", amount });
const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 50, giveUpAfterMs: 10_000 } as const;
const settings = (of: Client, body: Readonly<Record<string, unknown>>) => change(installation.service, `/accounts/${of.accountId}`, body);

test.each([
  ["000", "succeeded", "succeeded"],
  ["102", "failed", "failed"],
  ["200", "pending", "succeeded"],
  ["202", "pending", "failed"],
  ["130", "pending", "succeeded"],
])("a recharge of a number ending in %s is %s at first and %s in the end", async (digits, first, last) => {
  const one = input(`9876543${digits}`);
  const created = await corprail.recharge.create(one);
  expect(created).toMatchObject({ outcome: first, urid: one.urid, amount: "10.00", account: one.account });
  const settled = await corprail.recharge.waitForFinal({ urid: one.urid }, QUICK);
  expect(settled).toMatchObject({ outcome: last, final: true });
  expect(await corprail.recharge.get({ orderId: settled.orderId })).toMatchObject({ outcome: last, urid: one.urid });
  expect(await corprail.recharge.createAndSettle(one, QUICK)).toMatchObject({ outcome: last, orderId: settled.orderId });
});

test("what stays pending is returned as pending when the time is up", async () => {
  const result = await corprail.recharge.createAndSettle(input("9876543110"), { ...QUICK, giveUpAfterMs: 200 });
  expect(result).toMatchObject({ outcome: "pending", customerRefund: "wait" });
});

test("refusals on HTTP 200 are not_created, with a reason for the account's and without for recharge's own", async () => {
  const other = await funded({ settings: { kyc: "pending" } });
  const refused = await sdk(other).recharge.create(input("9876543000"));
  expect(refused).toMatchObject({ outcome: "not_created", error: "kyc_not_verified", code: 331, customerRefund: "due" });
  await settings(other, { kyc: "verified", wallet: "suspended" });
  const own = await sdk(other).recharge.create(input("9876543000"));
  expect(own).toMatchObject({ outcome: "not_created", error: null, code: 331 });
});

test("a known reference of a paused account is answered with its result, and looking it up is refused", async () => {
  const other = await funded();
  const one = input("9876543000");
  await sdk(other).recharge.create(one);
  await settings(other, { standing: "paused" });
  expect(await sdk(other).recharge.create(one)).toMatchObject({ outcome: "succeeded", balance: null });
  await expect(sdk(other).recharge.get({ urid: one.urid })).rejects.toBeInstanceOf(AccountRefusedError);
});

test("mistakes are typed errors with everything that the service said", async () => {
  const wrong = await corprail.recharge.create(input("12345", "1.2.3")).catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(InvalidRequestError);
  expect(wrong).toMatchObject({
    code: 120,
    httpStatus: 400,
    fields: { amount: expect.any(String) },
    requestId: expect.stringMatching(/^\S+$/),
  });
  await expect(corprail.recharge.create(input("9876543000", "9.99"))).rejects.toMatchObject({
    error: "amount_out_of_range",
    customerRefund: "due",
  });
  await expect(corprail.recharge.create({ ...input("9876543000"), operator: "XX" })).rejects.toBeInstanceOf(RefusedError);
  await expect(corprail.recharge.create(input("9876543000", "5000"))).rejects.toBeInstanceOf(InsufficientBalanceError);
  await expect(corprail.recharge.get({ urid: "never-sent" })).rejects.toBeInstanceOf(NotFoundError);
  const one = input("9876543000");
  const { orderId } = (await corprail.recharge.create(one)) as { readonly orderId: string };
  const twice = await corprail.recharge.create({ ...one, amount: "11.00" }).catch((error: unknown) => error);
  expect(twice).toBeInstanceOf(DuplicateReferenceError);
  expect(twice).toMatchObject({ orderId, urid: one.urid });
});

test("refused credentials are typed errors and never say that a refund is due", async () => {
  const stranger = await newClient(installation.service, { allowlist: ["192.0.2.1"] });
  const cases = [
    [sdk(client, { signingSecret: "sig_of-somebody-else" }), SignatureError, "invalid_signature"],
    [sdk(client, { token: "tok_live_of-nobody" }), CredentialError, "token_invalid"],
    [sdk(stranger), CredentialError, "ip_not_allowed"],
  ] as const;
  for (const [wrong, type, error] of cases) {
    const thrown = await wrong.recharge.create(input("9876543000")).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(type);
    expect(thrown).toMatchObject({ error, customerRefund: "wait" });
  }
  const clock = { now: () => Date.now() - 301_000, after: () => () => {} };
  await expect(sdk(client, { clock }).account.balance()).rejects.toBeInstanceOf(SignatureError);
});

test("an account that must sign is served with the secret and refused without", async () => {
  const other = await funded({ settings: { signing_required: true } });
  expect(await sdk(other).recharge.create(input("9876543000"))).toMatchObject({ outcome: "succeeded" });
  await expect(sdk(other, { signingSecret: undefined }).account.balance()).rejects.toBeInstanceOf(SignatureError);
  expect(await sdk(client, { signingSecret: undefined }).account.balance()).toMatchObject({ currency: "INR", wallet: "active" });
});

/** A network that carries out these calls, by number, and loses their replies. */
function losing(...lost: readonly number[]): { readonly fetch: typeof globalThis.fetch; readonly sent: string[] } {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const reply = await globalThis.fetch(address, init);
    sent.push(String(init?.method));
    if (lost.includes(sent.length)) throw new TypeError("fetch failed");
    return reply;
  };
  return { fetch, sent };
}

test("a recharge whose reply is lost is looked up: one order, one debit", async () => {
  const other = await funded();
  const { fetch, sent } = losing(1);
  expect(await sdk(other, { fetch }).recharge.create(input("9876543000"))).toMatchObject({ outcome: "succeeded", balance: "990.0000" });
  expect(sent).toEqual(["POST", "GET"]);
});

test("a recharge whose reply and look-up are lost is sent again under the same reference: one order, one debit", async () => {
  const other = await funded();
  const { fetch, sent } = losing(1, 2);
  expect(await sdk(other, { fetch }).recharge.create(input("9876543000"))).toMatchObject({ outcome: "succeeded", balance: "990.0000" });
  expect(sent).toEqual(["POST", "GET", "POST"]);
  expect(await sdk(other).account.transactions().toArray()).toHaveLength(1);
});

test("a retry whose signature is refused is looked up, and found", async () => {
  const other = await funded();
  const { fetch: lossy, sent } = losing(1, 2);
  // Between the first attempt and the retry the message is spoilt on the way.
  const fetch: typeof globalThis.fetch = (address, init) =>
    lossy(address, sent.length === 2 ? { ...init, headers: { ...init?.headers, "X-Api-Nonce": "spoilt" } } : init);
  expect(await sdk(other, { fetch }).recharge.create(input("9876543000"))).toMatchObject({ outcome: "succeeded", balance: "990.0000" });
  expect(sent).toEqual(["POST", "GET", "POST", "GET"]);
});

test("the account's lists and look-ups answer as they are typed", async () => {
  const other = await funded();
  const own = sdk(other);
  for (const digits of ["001", "002", "003"]) await own.recharge.create(input(`9876543${digits}`));
  const accounts: string[] = [];
  for await (const line of own.account.transactions({ service: "recharge", status: "SUCCESS" }, { pageSize: 1 }))
    accounts.push(line.account);
  expect(accounts).toEqual(["9876543003", "9876543002", "9876543001"]);
  const statement = await own.account.statement({}, { pageSize: 2 }).toArray();
  expect(statement.map((line) => [line.type, line.balanceAfter])).toEqual([
    ["debit", "970.0000"],
    ["debit", "980.0000"],
    ["debit", "990.0000"],
    ["topup", "1000.0000"],
  ]);
  const services = await own.account.services().toArray();
  expect(services.find((one) => one.service === "recharge")).toMatchObject({
    enabled: true,
    signing: "optional",
    limits: { perDay: null },
  });
  const operators = await own.recharge.operators({ kind: "dth" }).toArray();
  expect(operators.map((one) => one.operator).sort()).toEqual(["AD", "D2", "DT", "SD", "TP"]);
  expect(operators[0]).toMatchObject({ minAmount: "10.0000", accountPattern: expect.any(String) });
  const found = await own.recharge.lookup({ account: "9876543210" });
  expect(found).toEqual({
    operator: expect.any(String),
    circle: expect.any(String),
    ported: expect.any(Boolean),
    source: expect.any(String),
  });
  const [plan] = await own.recharge.plans({ operator: found.operator, circle: found.circle }).toArray(1);
  expect(plan).toMatchObject({ amount: expect.stringMatching(/^[0-9]+\.[0-9]{4}$/), validity: expect.any(String) });
});

test("a complaint is raised once however often it is sent, found, and listed", async () => {
  const one = input("9876543000");
  await corprail.recharge.create(one);
  const complaint = {
    urid: one.urid,
    reason: "not_credited",
    description: "Nothing has come yet.",
    complaintRequestId: `c-${one.urid}`,
  } as const;
  const { fetch, sent } = losing(1);
  const raised = await sdk(client, { fetch }).complaints.raise(complaint);
  expect(sent).toEqual(["POST", "POST"]);
  expect(raised).toMatchObject({ status: "OPEN", urid: one.urid, reasonCode: "not_credited", refundAmount: "0.0000", resolvedAt: null });
  expect(await corprail.complaints.get(raised.complaintRef)).toEqual(raised);
  const open = await corprail.complaints.list({ status: "OPEN" }).toArray();
  expect(open.map((item) => item.complaintRef)).toEqual([raised.complaintRef]);
  await expect(corprail.complaints.raise({ ...complaint, complaintRequestId: undefined })).rejects.toMatchObject({
    error: "complaint_exists",
    code: 151,
  });
  await expect(corprail.complaints.get("CMP000000000000")).rejects.toBeInstanceOf(NotFoundError);
});

test("a spent budget is a typed error, with Retry-After on version 3", async () => {
  const other = await funded({ settings: { money_per_minute: 1, get_per_minute: 1 } });
  await newCallbackSecret(installation.service, other.accountId);
  await settings(other, { callback_version: 3 });
  const hasty = sdk(other, { maxRetries: 0 });
  await hasty.account.balance();
  const thrown = await hasty.account.balance().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(RateLimitedError);
  expect(thrown).toMatchObject({ code: 123, httpStatus: 429, retryAfterSeconds: expect.any(Number) });
});
