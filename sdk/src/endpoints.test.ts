import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SECRET, scripted, TOKEN } from "../testing/scripted-fetch.js";
import { testClock } from "../testing/test-clock.js";
import { Corprail } from "./corprail.js";

/** Contract, sections 4 to 6. */
const CONTRACT = `
  POST /recharge, GET /recharge, GET /balance, GET /operators, GET /services, GET /lookup, GET /plans, GET /statement, GET /transactions,
  POST /complaints, GET /complaints, GET /complaints/{ref},
  GET /bills/categories, GET /bills/billers, POST /bills/fetch, GET /bills/fetch, POST /bills/pay, GET /bills/pay,
  GET /transfers/senders, POST /transfers/senders, POST /transfers/senders/verify, POST /transfers/senders/otp,
  GET /transfers/beneficiaries, POST /transfers/beneficiaries, POST /transfers/beneficiaries/verify_otp,
  POST /transfers/beneficiaries/verify, POST /transfers/beneficiaries/delete, GET /transfers/banks, POST /transfers/quote,
  POST /transfers, GET /transfers,
  GET /bus/cities, GET /bus/trips, GET /bus/seats, POST /bus/block, POST /bus/book, GET /bus/book, GET /bus/ticket,
  GET /bus/cancel, POST /bus/cancel,
  GET /aeps/banks, GET /aeps/key, GET /aeps/outlets, POST /aeps/outlets, POST /aeps/outlets/otp, POST /aeps/outlets/otp_verify,
  POST /aeps/outlets/biometric, POST /aeps/auth, POST /aeps/balance_enquiry, POST /aeps/mini_statement, POST /aeps/cash_withdrawal,
  POST /aeps/aadhaar_pay, GET /aeps/transactions`
  .trim()
  .split(/,\s+/);

const IGNORED = { requestId: "R-1", urid: "R-1", seats: [] } as never;

/** Calls every method of every namespace, whatever comes of it. */
async function callAll(part: object): Promise<void> {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(part)).filter((one) => one !== "constructor")) {
    const input = part.constructor.name === "Complaints" && name === "get" ? "CMP0123456789AB" : IGNORED;
    const result: unknown = (part as Record<string, (input: unknown) => unknown>)[name]?.(input);
    const asked = result instanceof Promise ? result : (result as { page: () => Promise<unknown> }).page();
    await asked.catch(() => {});
  }
  for (const inner of Object.values(part)) await callAll(inner as object);
}

test("every endpoint of the contract and of the API description has its call, and no call goes elsewhere", async () => {
  const script = scripted(
    Array.from({ length: 2_000 }, () => ({ status: 404, body: { status: "rejected", error: "not_found", code: 125 } })),
  );
  const corprail = new Corprail({
    baseUrl: "https://x.example",
    token: TOKEN,
    signingSecret: SECRET,
    fetch: script.fetch,
    clock: testClock(),
  });
  for (const namespace of Object.values(corprail)) await callAll(namespace);
  const called = [...new Set(script.requested().map((one) => one.replace("CMP0123456789AB", "{ref}")))];
  expect(called.sort()).toEqual([...CONTRACT].sort());
  const file = new URL("../../contract/openapi.json", import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as { readonly paths: Readonly<Record<string, object>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace("/api/corp/v1", "")}`),
  );
  expect(described.filter((one) => !called.includes(one))).toEqual([]);
});
