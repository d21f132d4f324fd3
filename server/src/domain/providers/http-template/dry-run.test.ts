import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { JSON_SPOKEN } from "../testing/definitions.ts";
import { dryRun, type SampleAnswer } from "./dry-run.ts";
import { dryRunText } from "./dry-run-text.ts";

const NOW = 1_750_000_000_000;

function example(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../../../docs/examples/providers/${name}.json`, import.meta.url), "utf8"));
}

function run(name: string, answer?: Partial<SampleAnswer> & { readonly text: string }) {
  const sample = answer ? { answer: { body: Buffer.from(answer.text), httpStatus: 200, to: "request" as const, ...answer } } : {};
  return dryRun({ description: example(name), secrets: { token: "s3cret-token" }, now: NOW, ...sample });
}

function reading(name: string, text: string, more: Partial<SampleAnswer> = {}): string | undefined {
  const result = run(name, { text, ...more });
  return result.kind === "done" ? result.reading?.finding.kind : "invalid";
}

const REFERENCE = "01SAMPLE000REFERENCE";

test("the GET example shows the request that it would send, with its secrets masked", () => {
  const result = run("quickpay");
  expect(result).toMatchObject({
    kind: "done",
    missing: ["CORPRAIL_PROVIDER_QUICKPAY_PIN"],
    request: {
      method: "GET",
      url: `https://api.quickpay.example/recharge?token=___token___&pin=___pin___&opcode=1&number=9876543000&amount=199&ref=${REFERENCE}`,
    },
    status: { url: `https://api.quickpay.example/status?token=___token___&ref=${REFERENCE}` },
  });
  expect(JSON.stringify(result)).not.toContain("s3cret");
});

test("the GET example reads its provider's answers", () => {
  expect(reading("quickpay", `Success,${REFERENCE},AT99,done\r\n`)).toBe("succeeded");
  expect(reading("quickpay", `INVALID NUMBER,${REFERENCE},,no such number`)).toBe("declined");
  expect(reading("quickpay", `ACCEPTED,${REFERENCE},,`)).toBe("pending");
  expect(reading("quickpay", `SUCCESS,OTHER,AT99,done`)).toBe("unknown");
  expect(reading("quickpay", "<html>Service unavailable</html>")).toBe("unknown");
  expect(reading("quickpay", `NO RECORD,${REFERENCE},,`, { to: "status" })).toBe("not_found");
  expect(reading("quickpay", `REFUNDED,${REFERENCE},AT99,taken back`, { to: "status" })).toBe("reversed");
});

test("the POST example shows its body and reads its provider's answers", () => {
  const result = run("rupeelink");
  const body = result.kind === "done" && "body" in result.request ? JSON.parse(result.request.body ?? "") : {};
  expect(body).toEqual({
    client_ref: REFERENCE,
    product: "AIRTEL",
    subscriber: "9876543000",
    amount_in_paise: 19_900,
    circle: "",
    requested_at: 1_750_000_000,
  });
  const answer = (state: string) => JSON.stringify({ message: "m", data: { client_ref: REFERENCE, state, operator_txn_id: 77 } });
  expect(reading("rupeelink", answer("COMPLETED"))).toBe("succeeded");
  expect(reading("rupeelink", answer("PROCESSING"), { httpStatus: 202 })).toBe("pending");
  expect(reading("rupeelink", answer("NEW"))).toBe("unknown");
  expect(reading("rupeelink", '{"message":"bad subscriber"}', { httpStatus: 422 })).toBe("declined");
  expect(reading("rupeelink", answer("COMPLETED"), { httpStatus: 500 })).toBe("unknown");
  expect(reading("rupeelink", "", { to: "status", httpStatus: 404 })).toBe("not_found");
});

test("the report for a person names the outcome and the reason", () => {
  const text = dryRunText(run("quickpay", { text: `WAITING,${REFERENCE},,` }));
  expect(text).toContain("GET https://api.quickpay.example/recharge?token=___token___");
  expect(text).toContain("CORPRAIL_PROVIDER_QUICKPAY_PIN");
  expect(text).toContain('status: "WAITING"');
  expect(text).toContain("outcome: unknown");
  expect(text).toContain('because: the status "WAITING" is not declared');
});

test("a faulty description is answered with the place of each fault", () => {
  const description = { ...JSON_SPOKEN.describe("https://pay.example"), name: "X", colour: 1 };
  const text = dryRunText(dryRun({ description, secrets: {}, now: NOW }));
  expect(text).toMatch(/name: Must be 1 to 32/);
  expect(text).toMatch(/colour: There is no such field/);
});
