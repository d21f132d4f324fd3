import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemClock } from "@corprail/server/platform/core/clock";
import { randomIds } from "@corprail/server/platform/core/ids";
import { findKeyFile } from "@corprail/server/platform/crypto/find-key-file";
import { loadOuterKey } from "@corprail/server/platform/crypto/outer-key";
import type { Sql } from "@corprail/server/platform/db/connection";
import { writePrivateFile } from "@corprail/server/platform/db/embedded/private-file";
import type { CommandContext } from "../shared/run-command.ts";
import type { Header } from "./header.ts";

/** The key file of this database, found as the service does. */
export async function findKey({ config }: CommandContext, sql: Sql): Promise<string> {
  const [clock, ids] = [systemClock(config.clockOffsetSeconds), randomIds()];
  const outer = await loadOuterKey(config.outerKey);
  const inDataFolder = join(config.dataFolder, "master-key");
  return await findKeyFile({ sql, clock, ids, configured: config.masterKeyFile, inDataFolder, outer });
}

/** The key file of a restored installation. */
export function keyPlace({ config }: CommandContext): string {
  return config.masterKeyFile ?? join(config.dataFolder, "master-key");
}

/** Why a key file does not contain these keys; null if it does. */
export function keyFault(text: string, keyIds: readonly string[]): string | null {
  const held = text.split("\n").map((line) => line.trim().split(" ")[0]);
  const missing = keyIds.filter((id) => !held.includes(id));
  return missing.length === 0 ? null : `The key file does not hold the master key ${missing.join(", ")}.`;
}

export type KeyPlan =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "there" | "absent"; readonly path: string }
  | { readonly kind: "refused"; readonly why: string };

/** Decides where the key goes before anything is written. An existing key file is never replaced. */
export async function planKey(ctx: CommandContext, header: Header, given: string | undefined): Promise<KeyPlan> {
  const path = keyPlace(ctx);
  const found = existsSync(path) ? await readFile(path, "utf8") : null;
  if (found !== null) {
    const fault = keyFault(found, header.master_key_ids);
    return fault === null ? { kind: "there", path } : { kind: "refused", why: `There is a key file ${path} already. ${fault}` };
  }
  const text = given === undefined ? header.master_key : await readFile(resolve(given), "utf8");
  if (text === null) return { kind: "absent", path };
  const fault = keyFault(text, header.master_key_ids);
  return fault === null ? { kind: "write", path, text } : { kind: "refused", why: given === undefined ? fault : `${given}: ${fault}` };
}

export async function placeKey(plan: KeyPlan): Promise<void> {
  if (plan.kind !== "write") return;
  await mkdir(dirname(plan.path), { recursive: true, mode: 0o700 });
  writePrivateFile(plan.path, plan.text);
}
