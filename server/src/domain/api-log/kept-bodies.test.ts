import { expect, test } from "vitest";
import { accountWith } from "../../api/client/gate/testing/account.ts";
import { createBodyMasker, type KeptBodies, keepsBodies, MAX_READ_BYTES, storedBodies } from "./kept-bodies.ts";

const kept = (more: Partial<KeptBodies>): KeptBodies => ({
  ...{ request: "", isQuery: false, isRequestCut: false, hasBankAccounts: false, reply: {} },
  ...more,
});

test.each([
  ["otp", "482913"],
  ["pid", '<PidData><Data type="X">MjAyNi0x</Data></PidData>'],
  ["aadhaar_enc", "kZ3P1x+Q/a=="],
  ["aadhaar", "499118665246"],
  ["auth_ref", "AR-77221"],
  ["token", "tok_live_abcdefgh"],
  ["api_token", "anything"],
  ["signature", "0a".repeat(32)],
  ["signing_secret", "sig_abcdefgh"],
  ["pan", "ABCDE1234F"],
  ["password", "hunter2"],
])("the value of %s is in neither body, wherever it is", (name, value) => {
  const nested = { list: [{ deeper: { [name]: value } }] };
  const { request, reply } = storedBodies(kept({ request: JSON.stringify({ [name]: value, nested }), reply: { [name]: value, nested } }));
  expect(`${request}${reply}`).not.toContain(value);
  expect(request).toContain(`"${name}"`);
  const query = storedBodies(kept({ request: `a=1&${name}=${encodeURIComponent(value)}`, isQuery: true })).request;
  expect(query).not.toContain(encodeURIComponent(value));
});

test("a bank account keeps its last four digits; references, amounts and mobile numbers stay readable", () => {
  const uuid = "0b54f3a2-7c1d-4e6f-9a8b-1c2d3e4f5a6b";
  expect(storedBodies(kept({ request: JSON.stringify({ urid: uuid }) })).request).toBe(`{"urid":"${uuid}"}`);
  const sent = { account_number: "918273645546", urid: "INV-20261117-000042", amount: "10.50", account: "9876543210" };
  expect(JSON.parse(storedBodies(kept({ request: JSON.stringify(sent) })).request)).toEqual({ ...sent, account_number: "…5546" });
});

test("a secret without its prefix, under a harmless name or in the wrong place, is not stored", () => {
  const secret = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF";
  for (const request of [JSON.stringify({ note: secret }), secret, `{"note":"${secret}`])
    expect(storedBodies(kept({ request })).request).not.toContain(secret.slice(0, 40));
  const key = secret.slice(0, 32);
  expect(storedBodies(kept({ request: key, reply: { message: `There is no ${key}.` } }))).toEqual({
    request: "[not JSON, or too long]",
    reply: '{"message":"There is no [long]."}',
  });
  const spelt = secret.replaceAll("m", "%6D");
  for (const request of [JSON.stringify({ note: spelt }), spelt, `{"${spelt}":1}`])
    expect(storedBodies(kept({ request })).request).not.toContain(spelt);
  for (const request of [`${spelt}=1`, `limit=${spelt}`, `a=1&urid=${secret}`])
    expect(storedBodies(kept({ request, isQuery: true })).request).not.toMatch(/Zm9v|Z%6D9v/);
});

test("long bodies are cut, and nothing is left of a value at the cut", () => {
  const long = `urid=1&note=${"x+y+".repeat(2_100)}&otp=48`;
  const { request, reply } = storedBodies(
    kept({
      ...{ request: long.slice(0, MAX_READ_BYTES), isQuery: true, isRequestCut: true },
      reply: { items: Array.from({ length: 2_000 }, () => "row") },
    }),
  );
  for (const text of [request, reply]) expect([text.length <= 4_001, text.endsWith("…")]).toEqual([true, true]);
});

test.each([
  ["single quotes", "{'otp': '482913', 'aadhaar': '499118665246'}"],
  ["names without quotes", "{otp: 482913, aadhaar: 499118665246}"],
  ["UTF-16", Buffer.from('{"otp":"482913","aadhaar":"499118665246"}', "utf16le").toString()],
  ["a body that was cut", '{"otp":"482913","aadhaar":"499118665246"'],
])("a request with %s has no names to mask by and is not kept", (_name, request) => {
  expect(storedBodies(kept({ request })).request).toBe("[not JSON, or too long]");
});

test.each(["id_number", "idNumber", "document_no", "passport_no", "voterId"])(
  "the number of an identity document in %s is hidden",
  (name) => {
    const { request } = storedBodies(kept({ request: JSON.stringify({ passengers: [{ [name]: "499118665246" }] }) }));
    expect(request).not.toContain("499118665246");
  },
);

test("by default failures keep their bodies: refusals and FAILED orders, not SUCCESS and pending", () => {
  const account = accountWith({});
  const answers: readonly (readonly [number, number | null])[] = [
    [200, 0],
    [200, 2],
    [200, null],
    [200, 1],
    [200, 331],
    [402, 126],
    [500, 500],
  ];
  expect(answers.map(([status, code]) => keepsBodies(account, status, code))).toEqual([false, false, false, true, true, true, true]);
  expect(answers.every(([status, code]) => keepsBodies({ ...account, logBodies: "all" }, status, code))).toBe(true);
  expect(answers.some(([status, code]) => keepsBodies({ ...account, logBodies: "none" }, status, code))).toBe(false);
});

test("a request that must not be kept leaves no trace, and its reply is kept", () => {
  expect(storedBodies(kept({ request: null, reply: { code: 300 } }))).toEqual({ request: "[not kept]", reply: '{"code":300}' });
});

test.each(["9876543210", "12345678", "AB1234567", ["9876543210"]])(
  "the bank account %s of a beneficiary is not stored in full",
  (account) => {
    const body = { account, acct: account, nested: { Account: account }, mobile: "9876500000" };
    const { request, reply } = storedBodies(kept({ request: JSON.stringify(body), reply: body, hasBankAccounts: true }));
    for (const text of [request, reply]) {
      expect(text).not.toContain(String(account));
      expect(text).toContain(String(account).slice(-4));
      expect(text).toContain("9876500000");
    }
  },
);

test("the names of fields stay as they were sent", () => {
  const sent = '{"first_name":"Asha","last_name":"Rao"}';
  expect(storedBodies(kept({ request: sent })).request).toBe(sent);
});

test("masking uses a tenth of the time; what does not fit is written without bodies", () => {
  let now = 1_000;
  // Each reading of the clock is 7 milliseconds later, so that each masking takes as long.
  const mask = createBodyMasker(() => {
    now += 7;
    return now;
  });
  const masked = () => Array.from({ length: 10 }, () => mask(kept({ request: "{}" }))).filter((one) => one !== null).length;
  expect([masked(), mask(null)]).toEqual([3, null]);
  now += 200;
  expect(masked()).toBe(3);
});
