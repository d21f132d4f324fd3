import type { JsonObject } from "../../platform/core/strict-json.ts";
import { redact } from "../../platform/observability/redact.ts";
import type { Account } from "../accounts/account.ts";
import { maskBody, maskForm } from "../providers/masking/mask-body.ts";
import type { MaskRules } from "../providers/masking/mask-value.ts";

/** The beginning of a request and its reply, before they are masked. */
export type KeptBodies = {
  /** The body of a POST, or the query of a GET. Null: it is never kept, because it may hold identity data in any field. */
  readonly request: string | null;
  readonly isQuery: boolean;
  readonly isRequestCut: boolean;
  /** Whether accounts in it are bank accounts. */
  readonly hasBankAccounts: boolean;
  readonly reply: JsonObject;
};

export type StoredBodies = { readonly request: string; readonly reply: string };

/** The most that is read of a body. */
export const MAX_READ_BYTES = 8 * 1024;
// A value may have been cut at the end of what was read, so that it is not recognised.
const DROPPED_CHARACTERS = 1024;
const MAX_STORED_CHARACTERS = 4_000;

const [SUCCESS, PENDING] = [0, 2];

/** Whether the account keeps the bodies of a request that was answered so. */
export function keepsBodies({ logBodies }: Account, status: number, code: number | null): boolean {
  if (logBodies !== "failures") return logBodies === "all";
  return status >= 400 || (code !== null && code !== SUCCESS && code !== PENDING);
}

// As long as a key without its prefix; secrets and signatures are longer. A UUID is a common reference.
const LONG = /[A-Za-z0-9_-]{32,}/g;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

function withoutLong(text: string): string {
  return redact(text).replace(LONG, (run) => (UUID.test(run) ? run : "[long]"));
}

/** Hides what could be one of our secrets, also where its characters are percent-encoded. */
function withoutSecrets(text: string): string {
  const open = withoutLong(text);
  if (!open.includes("%")) return open;
  const decoded = open.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const clean = withoutLong(decoded);
  return clean === decoded ? open : clean;
}

const NOT_KEPT = "[not kept]";
const NOT_JSON = "[not JSON, or too long]";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The bodies as they are stored: masked like the evidence of providers, and shortened. */
export function storedBodies({ request, isQuery, isRequestCut, hasBankAccounts, reply }: KeptBodies): StoredBodies {
  const rules: MaskRules = { secrets: withoutSecrets, readable: [], hasBankAccounts };
  const text = JSON.stringify(reply);
  const isCut = text.length > MAX_READ_BYTES;
  // Only what is read as JSON has names to mask by: quotes of another kind or another encoding would hide them.
  const masked = (sent: string) => {
    if (isQuery) return maskForm(withoutSecrets(sent), rules);
    return sent === "" || (!isRequestCut && isJson(sent)) ? maskBody(sent, rules) : NOT_JSON;
  };
  return {
    request: request === null ? NOT_KEPT : shortened(masked(request), isQuery && isRequestCut),
    reply: shortened(maskBody(isCut ? text.slice(0, MAX_READ_BYTES) : text, rules), isCut),
  };
}

function shortened(masked: string, isCut: boolean): string {
  const certain = isCut ? masked.slice(0, Math.max(0, masked.length - DROPPED_CHARACTERS)) : masked;
  if (certain.length <= MAX_STORED_CHARACTERS) return isCut ? `${certain}…` : certain;
  return `${certain.slice(0, MAX_STORED_CHARACTERS)}…`;
}

const SPAN_MILLISECONDS = 200;
const MASKING_MILLISECONDS = 20;

/**
 * Masks bodies, but only for a tenth of the time: it is done by the thread that answers requests, and a client decides how much
 * there is to mask. Null: the entry is written without its bodies.
 */
export function createBodyMasker(now: () => number = () => performance.now()): (bodies: KeptBodies | null) => StoredBodies | null {
  let spanEnds = 0;
  let spent = 0;
  return (bodies) => {
    if (bodies === null) return null;
    const startedAt = now();
    if (startedAt >= spanEnds) [spanEnds, spent] = [startedAt + SPAN_MILLISECONDS, 0];
    if (spent >= MASKING_MILLISECONDS) return null;
    const stored = storedBodies(bodies);
    spent += now() - startedAt;
    return stored;
  };
}
