import { spawn } from "node:child_process";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A key from outside, such as a KMS or an HSM, that seals the keys in the key file. Null: they are stored in the clear. */
export type OuterKey = {
  readonly seal: (keyId: string, bytes: Buffer) => string;
  /** Null if none of the outer keys opens it. */
  readonly open: (keyId: string, sealed: string) => Buffer | null;
} | null;

/** Where the outer key comes from: CORPRAIL_OUTER_KEY, or the output of the program in CORPRAIL_OUTER_KEY_COMMAND. */
export type OuterKeySource = { readonly value: string | null; readonly command: string | null };

const COMMAND_MILLISECONDS = 20_000;
const MAX_OUTPUT_BYTES = 4096;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Fetches the outer key. It stays in memory and is never logged. */
export async function loadOuterKey({ value, command }: OuterKeySource): Promise<OuterKey> {
  if (value !== null) return createOuterKey(value, "CORPRAIL_OUTER_KEY");
  if (command !== null) return createOuterKey(await outputOf(command), "The output of CORPRAIL_OUTER_KEY_COMMAND");
  return null;
}

/** One key per line. The first seals; the others open what was sealed before the outer key was replaced. */
export function createOuterKey(text: string, what: string): OuterKey {
  const keys = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => toKey(line, what));
  const [first] = keys;
  if (!first) throw new Error(`${what} holds no key.`);
  return {
    seal: (keyId, bytes) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", first, nonce).setAAD(Buffer.from(keyId));
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    open: (keyId, sealed) =>
      keys.map((key) => opened(key, keyId, Buffer.from(sealed, "base64url"))).find((bytes) => bytes !== null) ?? null,
  };
}

function toKey(line: string, what: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(line) ? Buffer.from(line, "hex") : Buffer.from(line, "base64");
  if (key.length !== KEY_BYTES) throw new Error(`${what} must be ${KEY_BYTES} bytes as hexadecimal or base64 text, one key per line.`);
  return key;
}

function opened(key: Buffer, keyId: string, sealed: Buffer): Buffer | null {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const cipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(keyId));
  cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]);
  } catch {
    // The tag does not match: it was sealed with another key.
    return null;
  }
}

/** Splits at spaces. A word in double quotes keeps its spaces. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
}

/** Runs a program without a shell. Its output is a secret, so a failure shows none of it. */
async function outputOf(command: string): Promise<string> {
  const [program = "", ...words] = wordsOf(command);
  // Its own process group, so that what a script has started ends with it.
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const parts: Buffer[] = [];
  let [size, isLate] = [0, false];
  const killAll = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const timer = setTimeout(() => {
    isLate = true;
    killAll();
  }, COMMAND_MILLISECONDS);
  child.stdout.on("data", (part: Buffer) => {
    size += part.length;
    if (size <= MAX_OUTPUT_BYTES) parts.push(part);
    else killAll();
  });
  const failure = await new Promise<string | null>((resolve) => {
    child.once("error", (error) => resolve(`cannot be started: ${error.message}`));
    child.once("close", (code) => resolve(code === 0 ? null : `ended with ${code}`));
  });
  clearTimeout(timer);
  if (isLate) throw new Error(`The program of CORPRAIL_OUTER_KEY_COMMAND did not end within ${COMMAND_MILLISECONDS / 1000} seconds.`);
  if (size > MAX_OUTPUT_BYTES) throw new Error("The program of CORPRAIL_OUTER_KEY_COMMAND wrote too much.");
  if (failure !== null) throw new Error(`The program of CORPRAIL_OUTER_KEY_COMMAND ${failure}.`);
  return Buffer.concat(parts).toString("utf8");
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has just ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
