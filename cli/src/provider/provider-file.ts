import { readFile } from "node:fs/promises";
import { type JsonObject, type JsonValue, parseStrictJson } from "@corprail/server/kernel/strict-json";
import { type Fault, faultText } from "@corprail/server/upstream/faults";
import type { Secrets } from "@corprail/server/upstream/http-template/build-call";
import { providerName } from "@corprail/server/upstream/http-template/definition";
import { secretsBeside } from "@corprail/server/upstream/http-template/secrets";
import { checkSetup, secretNames } from "@corprail/server/upstream/open-connector";
import { CONNECTORS, type ConnectorKind } from "@corprail/server/upstream/store";
import { errorText, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";

export type ProviderFile = { readonly provider: string; readonly connector: ConnectorKind; readonly settings: JsonObject };
export type ReadProviderFile =
  | { readonly ok: true; readonly file: ProviderFile }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** A description of an http-template, or {"name", "connector"} and that connector's settings. */
export async function readProviderFile(path: string): Promise<ReadProviderFile> {
  const bytes = await readFile(path);
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return { ok: false, faults: [{ path: "", message: whyNoJson(bytes, parsed.why) }] };
  const { connector = "http-template", ...described } = parsed.value;
  if (!isConnector(connector)) return { ok: false, faults: [{ path: "connector", message: `Must be one of ${CONNECTORS.join(", ")}.` }] };
  const { name, ...settings } = described;
  const provider = typeof name === "string" ? name : "";
  // A description has its name in it.
  const file = { provider, connector, settings: connector === "http-template" ? described : settings };
  const faults = faultsIn(file);
  return faults.length === 0 ? { ok: true, file } : { ok: false, faults };
}

/** Those that are found in the environment or in the file beside. An empty one is none: it must not replace one that is saved. */
export async function secretsFor(ctx: CommandContext, path: string, { provider, connector, settings }: ProviderFile): Promise<Secrets> {
  const { secrets } = await secretsBeside(path, provider, secretNames(connector, settings), ctx.config.providerSecrets);
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
}

export function faulty(path: string, faults: readonly Fault[]): Outcome {
  return failed(`${path} has faults:\n${faultText(faults).replace(/^/gm, "  ")}`, { faults });
}

function faultsIn(file: ProviderFile): readonly Fault[] {
  const checked = checkSetup({ ...file, secrets: {} });
  const faults = checked.ok ? [] : checked.faults;
  if (file.connector === "http-template") return faults;
  const name = providerName.safeParse(file.provider);
  return name.success ? faults : [{ path: "name", message: name.error.issues[0]?.message ?? "Is no name." }, ...faults];
}

function isConnector(value: JsonValue): value is ConnectorKind {
  return CONNECTORS.some((connector) => connector === value);
}

// The parser says where; what it takes and we do not is said by us.
function whyNoJson(bytes: Buffer, why: string): string {
  try {
    JSON.parse(bytes.toString("utf8"));
    return `The file cannot be used: ${why.replace("the body", "it")}.`;
  } catch (error) {
    return `The file is not JSON: ${errorText(error).replace(/\s+/g, " ")}`;
  }
}
