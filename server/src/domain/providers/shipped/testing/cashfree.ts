import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";

export const CASHFREE = { name: "cashfree", secrets: { client_id: "cf-client-4471", client_secret: "cf-secret-8823" } };

const PAGE = new URL("../../../../../../docs/providers/cashfree.md", import.meta.url);

/** The description with the operation that its page shows: a gateway of the platform's own sends the codes. */
function withMessages({ operations, secrets, ...rest }: JsonObject): JsonObject {
  const example = /```json\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8"))?.[1] ?? "";
  const { "otp.send": send } = JSON.parse(`{${example}}`) as { readonly "otp.send": JsonObject };
  const samples = { answered: { body: { status: "queued" } } };
  return {
    ...rest,
    secrets: [...(secrets as string[]), "sms_key"],
    operations: { ...(operations as JsonObject), "otp.send": { ...send, samples } },
  };
}

export const CASHFREE_WITH_MESSAGES = {
  ...CASHFREE,
  secrets: { ...CASHFREE.secrets, sms_key: "sms-key-5512" },
  completed: withMessages,
};
