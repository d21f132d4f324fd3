import { readFile } from "node:fs/promises";
import { secretNames } from "@corprail/server/domain/providers/connector-setup";
import type { Secrets } from "@corprail/server/domain/providers/description/request/scope";
import { type DescribedProvider, readDescribed } from "@corprail/server/domain/providers/settings/described-provider";
import { type Fault, faultText } from "@corprail/server/domain/providers/settings/faults";
import { secretsBeside } from "@corprail/server/domain/providers/settings/secrets";
import { parseStrictJson } from "@corprail/server/platform/core/strict-json";
import { errorText, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

// A description may have thousands of codes.
const MAX_VALUES = 100_000;

export type ReadProviderFile =
  | { readonly ok: true; readonly file: DescribedProvider }
  | { readonly ok: false; readonly faults: readonly Fault[] };

export async function readProviderFile(path: string): Promise<ReadProviderFile> {
  const bytes = await readFile(path);
  const parsed = parseStrictJson(bytes, MAX_VALUES);
  if (!parsed.ok) return { ok: false, faults: [{ path: "", message: whyNoJson(bytes, parsed.why) }] };
  const read = readDescribed(parsed.value);
  return read.ok ? { ok: true, file: read.described } : read;
}

/** Secrets from the environment or the .secrets file. An empty value is ignored, so that it never replaces a saved one. */
export async function secretsFor(
  ctx: CommandContext,
  path: string,
  { provider, connector, settings }: DescribedProvider,
): Promise<Secrets> {
  const { secrets } = await secretsBeside(path, provider, secretNames(connector, settings), ctx.config.providerSecrets);
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
}

export function faulty(path: string, faults: readonly Fault[]): Outcome {
  return failed(`${path} has faults:\n${faultText(faults).replace(/^/gm, "  ")}`, { faults });
}

// A syntax error carries the position that JSON.parse reports. Our own rules are stricter, and their faults have our texts.
function whyNoJson(bytes: Buffer, why: string): string {
  try {
    JSON.parse(bytes.toString("utf8"));
    return `The file cannot be used: ${why.replace("the body", "it")}.`;
  } catch (error) {
    return `The file is not JSON: ${errorText(error).replace(/\s+/g, " ")}`;
  }
}
