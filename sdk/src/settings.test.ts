import { inspect } from "node:util";
import { expect, test } from "vitest";
import { refused } from "../testing/replies.js";
import { bench, SECRET, TOKEN } from "../testing/scripted-fetch.js";
import { CallbackVerifier } from "./callbacks/verifier.js";
import { Corprail } from "./corprail.js";
import { UsageError } from "./errors.js";

const INPUT = { urid: "ORDER-1", account: "9876543210", operator: "AT", amount: "199.00" } as const;

test.each(["https://api.example.in", "https://api.example.in:8443/", "http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"])(
  "the address %s is taken",
  (baseUrl) => {
    expect(new Corprail({ baseUrl, token: TOKEN })).toBeInstanceOf(Corprail);
  },
);

test.each([
  "http://api.example.in",
  "https://api.example.in/api/corp/v1",
  "https://api.example.in/?a=1",
  "https://user:pass@api.example.in",
  "ftp://api.example.in",
  "api.example.in",
  "",
])("the address %j is refused", (baseUrl) => {
  expect(() => new Corprail({ baseUrl, token: TOKEN })).toThrow(UsageError);
});

test("plain http to another machine has to be asked for", () => {
  expect(new Corprail({ baseUrl: "http://10.0.0.1", token: TOKEN, allowInsecure: true })).toBeInstanceOf(Corprail);
});

test.each([
  { token: "" },
  { token: `${TOKEN}\n` },
  { token: "with space" },
  { signingSecret: TOKEN },
  { signingSecret: "cbk_not-for-requests" },
  { timeoutMs: 0 },
  { maxRetries: -1 },
  { maxRetries: 1.5 },
])("settings that cannot work are refused, without repeating a credential: %#", (options) => {
  const make = () => new Corprail({ baseUrl: "https://api.example.in", token: TOKEN, ...options });
  expect(make).toThrow(UsageError);
  try {
    make();
  } catch (error) {
    for (const given of Object.values(options).filter((one) => String(one).length > 3))
      expect(inspect(error)).not.toContain(String(given).trim());
  }
});

const shown = (value: unknown) => `${inspect(value, { depth: 20, showHidden: true })}${JSON.stringify(value)}${String(value)}`;

test("neither the client nor the verifier shows a credential when it is printed", () => {
  const { corprail } = bench([]);
  const verifier = new CallbackVerifier({ token: TOKEN, callbackSecret: "cbk_FAKE-SECRET" });
  for (const text of [
    shown(corprail),
    shown(corprail.recharge),
    shown(corprail.transfers),
    shown(corprail.account.statement()),
    shown(verifier),
  ]) {
    expect(text).not.toMatch(/FAKE/);
  }
});

test("no error shows a credential that its cause quotes", async () => {
  const words = `Headers.append: "${TOKEN}" and ${SECRET} are invalid header values.`;
  const steps = [
    { fails: words },
    refused(400, "invalid_request", 120, { message: words, fields: { token: words } }),
    refused(401, `x ${TOKEN}`, 102, { message: words }),
  ];
  for (const step of steps) {
    const thrown = await bench([step], { maxRetries: 0 })
      .corprail.account.balance()
      .catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(Error);
    expect(shown(thrown)).toContain("[token]");
    expect(shown(thrown)).not.toMatch(/FAKE/);
  }
  const unknown = await bench([{ fails: words }, { fails: words }, { fails: words }], { maxRetries: 0 }).corprail.recharge.create(INPUT);
  expect(unknown.outcome).toBe("unknown");
  expect(shown(unknown)).not.toMatch(/FAKE/);
});
