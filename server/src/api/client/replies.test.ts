import { expect, test } from "vitest";
import { REFUSAL_CODES, type RefusalName, refused } from "../../domain/shared/refusals.ts";
import { refusalReply } from "./replies.ts";

const NAMES = Object.keys(REFUSAL_CODES) as readonly RefusalName[];
const replyTo = (name: RefusalName) => refusalReply(refused(name, "why"), { reference: null, signedService: true });

test("every 503 has a Retry-After, whichever check refused", () => {
  const unavailable = NAMES.filter((name) => replyTo(name).status === 503);
  expect(unavailable.toSorted()).toEqual(["bank_down", "busy"]);
  for (const name of unavailable) expect(replyTo(name).headers?.["Retry-After"]).toMatch(/^[1-9][0-9]*$/);
});

test("a refusal that knows better when to come back says that", () => {
  const reply = refusalReply(refused("busy", "why", { retryAfterSeconds: 17 }), { reference: null, signedService: false });
  expect(reply.headers).toEqual({ "Retry-After": "17" });
});
