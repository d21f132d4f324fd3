import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

// argon2id is the library's default; OWASP asks for 19 MiB and two passes at least.
const COST = { memoryCost: 32 * 1024, timeCost: 3, parallelism: 1 } as const;
const MIN_LENGTH = 12;
const MAX_LENGTH = 200;
// Each takes a thread of the few that name lookups and files need as well.
const AT_ONCE = 2;
const MAX_WAITING = 200;

const COMMON = ["password", "passw0rd", "qwerty", "letmein", "welcome", "corprail", "admin", "iloveyou", "123456", "abcdef", "changeme"];

/** Why a password is not taken; null when it is. */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < MIN_LENGTH) return `Must have at least ${MIN_LENGTH} characters.`;
  if (length > MAX_LENGTH) return `Must have at most ${MAX_LENGTH} characters.`;
  const plain = password.toLowerCase();
  const [mailbox = ""] = email.split("@");
  if (plain.trim() === email || plain.trim() === mailbox) return "Must not be the e-mail address.";
  return isCommon(plain) ? "Is too easy to guess." : null;
}

// A common word, however often it is repeated and whatever digits and signs stand around it.
function isCommon(plain: string): boolean {
  const bare = COMMON.reduce((rest, word) => rest.replaceAll(word, ""), plain).replaceAll(/[\s!-@[-`{-~]/g, "");
  return bare === "" || new Set(plain).size < 4;
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(spelled(password), COST));
}

/** Takes as long for somebody who does not exist: there is always something to compare with. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const stored = passwordHash ?? (await nobodysHash());
  const matches = await inTurn(() => verify(stored, spelled(password)));
  return matches && passwordHash !== null;
}

let nobodys: Promise<string> | null = null;

/** To be called at the start as well, so that the first stranger does not wait longer than others. */
export function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(32).toString("base64url"));
  return nobodys;
}

// The same letters typed on another keyboard may come as other code points.
function spelled(password: string): string {
  return password.normalize("NFKC");
}

/** Nothing was checked: a flood from many addresses is answered so, and is no failure of ours. */
export class PasswordsBusy extends Error {}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= MAX_WAITING) throw new PasswordsBusy("Too many passwords are being checked at once.");
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The place is handed on, so that nobody slips in between.
    if (next) next();
    else running--;
  }
}
