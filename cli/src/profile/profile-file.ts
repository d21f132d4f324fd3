import { randomBytes } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";

/** The address and the credentials of a client. */
export type Profile = {
  readonly base_url: string;
  readonly token: string;
  readonly signing_secret?: string;
  readonly callback_secret?: string;
};

export type Profiles = {
  /** The profile that commands use by default. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
};

export const SECRET_FIELDS = ["token", "signing_secret", "callback_secret"] as const;

const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const NONE: Profiles = { current: null, profiles: {} };
const READABLE_BY_OTHERS = 0o077;

export function profilePath({ environment }: Pick<ClientContext, "environment">): string {
  const configured = environment["XDG_CONFIG_HOME"] ?? "";
  // XDG Base Directory specification: a relative path is ignored.
  return join(isAbsolute(configured) ? configured : join(environment["HOME"] || homedir(), ".config"), "corprail", "profiles.json");
}

export function profileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageFault("A profile's name has 1 to 32 of a-z 0-9 . _ - and begins with a letter or digit.");
}

export async function readProfiles(path: string): Promise<Profiles> {
  const text = await readPrivate(path);
  if (text === null) return NONE;
  const value = parsed(text);
  if (isProfiles(value)) return value;
  throw new UsageFault(`${path} is not a file of profiles. Put it away and add them again: corprail profile add NAME`);
}

/** Replaces the file atomically. */
export async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function readPrivate(path: string): Promise<string | null> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { mode } = await file.stat();
    if ((mode & READABLE_BY_OTHERS) !== 0) {
      throw new UsageFault(
        `${path} holds secrets, but others may read or write it (mode ${(mode & 0o777).toString(8)}). Run: chmod 600 ${path}`,
      );
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (!isRecord(value) || !isRecord(value["profiles"])) return false;
  const { current, profiles } = value;
  return (current === null || typeof current === "string") && Object.values(profiles).every(isProfile);
}

function isProfile(value: unknown): value is Profile {
  if (!isRecord(value) || typeof value["base_url"] !== "string" || typeof value["token"] !== "string") return false;
  return [value["signing_secret"], value["callback_secret"]].every((secret) => secret === undefined || typeof secret === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
