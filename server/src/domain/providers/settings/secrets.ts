import { readFile, stat } from "node:fs/promises";
import type { Secrets } from "../description/request/scope.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundSecrets = { readonly secrets: Secrets; readonly missing: readonly string[] };

/** The environment variable of a provider's secret, such as CORPRAIL_PROVIDER_ACME_TOKEN. */
export function secretVariable(provider: string, secret: string): string {
  return `CORPRAIL_PROVIDER_${provider}_${secret}`.toUpperCase().replaceAll("-", "_");
}

export function secretsFromEnvironment(provider: string, names: readonly string[], environment: Environment): Secrets {
  const found = names.map((name): [string, string | undefined] => [name, environment[secretVariable(provider, name)]]);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ""));
}

/**
 * Reads the secrets of a description on disk from the environment, or from a file of `name=value` lines beside it
 * (`acme.json` → `acme.secrets`). A file that other users can read is refused.
 */
export async function secretsBeside(
  path: string,
  provider: string,
  names: readonly string[],
  environment: Environment,
): Promise<FoundSecrets> {
  const inFile = await readSecretFile(path.replace(/\.json$/, "").concat(".secrets"));
  const all: Secrets = { ...inFile, ...secretsFromEnvironment(provider, names, environment) };
  const secrets = Object.fromEntries(names.filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name] ?? ""]));
  return { secrets, missing: names.filter((name) => !Object.hasOwn(secrets, name)) };
}

async function readSecretFile(path: string): Promise<Secrets> {
  const found = await stat(path).catch(() => null);
  if (!found) return {};
  if ((found.mode & 0o077) !== 0) throw new Error(`${path} is readable by other users. Run chmod 600 on it.`);
  const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.replace(/\r$/, ""));
  const pairs = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return Object.fromEntries(pairs.map((line) => secretLine(path, line)).filter(([, value]) => value !== ""));
}

function secretLine(path: string, line: string): [string, string] {
  const split = line.indexOf("=");
  // The error does not repeat the line, because it may contain part of a secret.
  if (split < 1) throw new Error(`${path} has a line that is not name=value.`);
  return [line.slice(0, split).trim(), line.slice(split + 1)];
}
