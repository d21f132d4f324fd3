import { z } from "zod";
import { ROLES, readName } from "../../domain/auth/user.ts";

export const nothing = z.strictObject({});
// A generous limit for input. The rules for new passwords are checked elsewhere.
export const password = z.string().min(1).max(1000);
export const email = z.string().min(1).max(320);
export const code = z.string().min(1).max(64);
export const role = z.enum(ROLES);
export const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be an id.");
export const linkToken = z.string().regex(/^(?:inv|rst)_[A-Za-z0-9_-]{43}$/, "Must be the end of a link.");

export const viewToken = z.string().regex(/^vw_[A-Za-z0-9_-]{43}$/, "Must be the end of a link.");

export const personName = z.string().transform((text, ctx) => {
  const name = readName(text);
  if (name !== null) return name;
  ctx.addIssue("Must have 1 to 120 characters, none of them a control character.");
  return z.NEVER;
});

const part = z.string().max(16_384);

/** The authenticator's response from the browser. The WebAuthn library validates it. */
export const newPasskey = z.looseObject({
  id: part.min(1),
  rawId: part.min(1),
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: part, attestationObject: part }),
  clientExtensionResults: z.looseObject({}),
});

export const passkeyAnswer = z.looseObject({
  id: part.min(1),
  rawId: part.min(1),
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: part, authenticatorData: part, signature: part }),
  clientExtensionResults: z.looseObject({}),
});
