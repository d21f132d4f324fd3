import { createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackMessage, CallbackReading } from "@corprail/connector";
import { z } from "zod";

const message = z.object({
  ref: z.string(),
  id: z.string(),
  status: z.enum(["SUCCESS", "FAILED", "REFUNDED"]),
  operator_ref: z.string().default(""),
  message: z.string().default(""),
});

/** Reads a callback. Its signature is the hex HMAC-SHA256 of the body. */
export function readCallback(
  { headers, body }: CallbackMessage,
  { secrets }: { readonly secrets: { readonly callback_secret: string } },
): CallbackReading {
  const wanted = createHmac("sha256", secrets.callback_secret).update(body).digest();
  const given = Buffer.from(headers["x-paywell-signature"] ?? "", "hex");
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return { kind: "refused", reason: "wrong_key" };
  const read = message.safeParse(parsed(body));
  if (!read.success) return { kind: "refused", reason: "unreadable", authentic: true };
  const { ref: reference, id: providerRef, status, operator_ref: operatorRef, message: reason } = read.data;
  switch (status) {
    case "SUCCESS":
      return { kind: "report", reference, finding: { kind: "succeeded", operatorRef, providerRef } };
    case "FAILED":
      return { kind: "report", reference, finding: { kind: "declined", reason, providerRef } };
    case "REFUNDED":
      return { kind: "report", reference, finding: { kind: "reversed", reason, providerRef } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
