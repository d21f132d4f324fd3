import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

// argon2id is the library's default; OWASP recommends at least 19 MiB and two passes.
const COST = { memoryCost: 32 * 1024, timeCost: 3, parallelism: 1 } as const;
const MIN_LENGTH = 12;
const MAX_LENGTH = 200;
// Each hash occupies one of the few threads that name lookups and file access also need.
const AT_ONCE = 2;
const MAX_WAITING = 200;

const COMMON = ["password", "passw0rd", "qwerty", "letmein", "welcome", "corprail", "admin", "iloveyou", "123456", "abcdef", "changeme"];

/** Why a password is not accepted; null when it is. */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < MIN_LENGTH) return `Must have at least ${MIN_LENGTH} characters.`;
  if (length > MAX_LENGTH) return `Must have at most ${MAX_LENGTH} characters.`;
  const plain = password.toLowerCase();
  const [mailbox = ""] = email.split("@");
  if (plain.trim() === email || plain.trim() === mailbox) return "Must not be the email address.";
  return isCommon(plain) ? "Is too easy to guess." : null;
}

// Finds a common word, also when it is repeated or surrounded by digits and signs.
function isCommon(plain: string): boolean {
  const bare = COMMON.reduce((rest, word) => rest.replaceAll(word, ""), plain).replaceAll(/[\s!-@[-`{-~]/g, "");
  return bare === "" || new Set(plain).size < 4;
}

export function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(normalised(password), COST));
}

/** Takes equally long for an unknown user, because there is always a hash to compare with. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const stored = passwordHash ?? (await dummyHash());
  const matches = await withSlot(() => verify(stored, normalised(password)));
  return matches && passwordHash !== null;
}

let cachedDummyHash: Promise<string> | null = null;

/** Also called at the start, so that the first request for an unknown user does not take longer. */
export function dummyHash(): Promise<string> {
  cachedDummyHash ??= hashPassword(randomBytes(32).toString("base64url"));
  return cachedDummyHash;
}

// Different keyboards may produce different code points for the same letters.
function normalised(password: string): string {
  return password.normalize("NFKC");
}

/** Too many passwords are waiting, and nothing was checked. This answers a flood from many addresses and is not an internal error. */
export class PasswordsBusy extends Error {}

let running = 0;
const waiting: (() => void)[] = [];

async function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= MAX_WAITING) throw new PasswordsBusy("Too many passwords are being checked at once.");
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The slot is handed over directly, so that no other caller takes it in between.
    if (next) next();
    else running--;
  }
}
