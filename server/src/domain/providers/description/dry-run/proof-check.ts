import { secretMask } from "../../masking/mask-secrets.ts";
import { type Authenticated, authenticate, digestOf, placed, type Signed } from "../callbacks/authenticate.ts";
import { signedParts } from "../callbacks/read-callback.ts";
import type { Description } from "../definition.ts";
import type { CallbackAuth, CallbackDefinition } from "../language/callbacks.ts";
import type { Secrets } from "../request/scope.ts";
import { render } from "../template/render.ts";
import type { SampleAnswer } from "./dry-run.ts";
import { callbackMessage } from "./read-sample.ts";

/** How the proof of a sample callback is checked. */
export type ProofCheck = {
  /** Where the callback is in the description. */
  readonly path: string;
  /** Such as `hmac sha256`. */
  readonly kind: string;
  /** What is signed, secrets masked; null where nothing is. */
  readonly text: string | null;
  /** Null for a key, which is never shown, and where only the provider can compute it. */
  readonly expected: string | null;
  readonly received: string;
  /** `proved`, `wrong_key`, `stale`, `hint`, or the secret that is missing. */
  readonly result: string;
};

/** Checks a sample message against every callback of a description, with the secrets that are set. */
export function proofChecks(definition: Description, secrets: Secrets, answer: SampleAnswer, now: number): readonly ProofCheck[] {
  return definition.callbacks.map((callback, index) => proofCheck(definition, callback, `callbacks[${index}]`, { secrets, answer, now }));
}

type Given = { readonly secrets: Secrets; readonly answer: SampleAnswer; readonly now: number };

function proofCheck(definition: Description, callback: CallbackDefinition, path: string, { secrets, answer, now }: Given): ProofCheck {
  const { auth } = callback;
  const mask = secretMask(Object.values(secrets));
  const message = callbackMessage(callback, answer);
  const given = signedParts({ definition, secrets, clock: { now: () => now }, clean: mask }, callback, message);
  const missing = missingSecret(definition, auth, secrets);
  const received = receivedIn(auth, given, mask);
  const kind = isSigned(auth) ? `${auth.kind} ${auth.digest}` : auth.kind;
  if (missing !== null) return { path, kind, text: null, expected: null, received, result: `the secret ${missing} is not set` };
  const text = isSigned(auth) ? mask(render(auth.text, given.scope)) : null;
  return { path, kind, text, expected: expectedOf(auth, given), received, result: resultOf(callback, given) };
}

/** The source address of a sample is not known, so it is left out. */
function resultOf({ addresses: _, ...callback }: CallbackDefinition, given: Authenticated): string {
  const proof = authenticate(callback, given);
  if (!proof.ok) return proof.refused;
  return proof.isHint ? "hint" : "proved";
}

function isSigned(auth: CallbackAuth): auth is Signed {
  return auth.kind === "hmac" || auth.kind === "hash" || auth.kind === "rsa";
}

/** A key is the secret itself, and so is a token that somebody could send again. */
function receivedIn(auth: CallbackAuth, given: Authenticated, mask: (text: string) => string): string {
  if (auth.kind === "addresses" || auth.kind === "hint") return "";
  const text = placed(auth, given);
  return text === "" || isSigned(auth) ? mask(text) : "(not shown)";
}

function missingSecret({ secrets: names }: Description, auth: CallbackAuth, secrets: Secrets): string | null {
  const used = "secret" in auth ? [auth.secret] : auth.kind === "hash" ? names.filter((name) => auth.text.includes(`{secret.${name}`)) : [];
  return used.find((name) => (secrets[name] ?? "") === "") ?? null;
}

function expectedOf(auth: CallbackAuth, given: Authenticated): string | null {
  return auth.kind === "hmac" || auth.kind === "hash" ? `${auth.prefix}${digestOf(auth, given)}` : null;
}
