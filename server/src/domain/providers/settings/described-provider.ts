import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { checkSetup } from "../connector-setup.ts";
import { readDescriptionInSlices } from "../description/definition.ts";
import { providerName } from "../description/language/words.ts";
import { CONNECTORS, type ConnectorKind, type ProviderRow } from "../store.ts";
import type { Fault } from "./faults.ts";

/** A provider's description, read from its file or from the API. */
export type DescribedProvider = { readonly provider: string; readonly connector: ConnectorKind; readonly settings: JsonObject };

export type ReadDescribed =
  | { readonly ok: true; readonly described: DescribedProvider }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Reads a description, or {"name", "connector"} with the settings of that connector. */
export function readDescribed(value: JsonObject): ReadDescribed {
  const described = partsOf(value);
  return described === null ? OTHER_CONNECTOR : checked(described);
}

/** The same without holding up other requests, for a description that somebody sends. */
export async function readDescribedInSlices(value: JsonObject): Promise<ReadDescribed> {
  const described = partsOf(value);
  if (described === null) return OTHER_CONNECTOR;
  if (described.connector === "description") await readDescriptionInSlices(described.settings);
  return checked(described);
}

const OTHER_CONNECTOR: ReadDescribed = {
  ok: false,
  faults: [{ path: "connector", message: `Must be one of ${CONNECTORS.join(", ")}.` }],
};

function checked(described: DescribedProvider): ReadDescribed {
  const faults = faultsIn(described);
  return faults.length === 0 ? { ok: true, described } : { ok: false, faults };
}

/** Null when there is no such connector. */
function partsOf(value: JsonObject): DescribedProvider | null {
  const { connector = "description", ...rest } = value;
  if (!isConnector(connector)) return null;
  const { name, ...settings } = rest;
  const provider = typeof name === "string" ? name : "";
  // A description contains its own name.
  return { provider, connector, settings: connector === "description" ? rest : settings };
}

/** The inverse: the description that would be read as this provider. */
export function describe({ provider, connector, settings }: Pick<ProviderRow, "provider" | "connector" | "settings">): JsonObject {
  return connector === "description" ? settings : { name: provider, connector, ...settings };
}

function faultsIn(described: DescribedProvider): readonly Fault[] {
  const checked = checkSetup({ ...described, secrets: {} });
  const faults = checked.ok ? [] : checked.faults;
  if (described.connector === "description") return faults;
  const name = providerName.safeParse(described.provider);
  return name.success ? faults : [{ path: "name", message: name.error.issues[0]?.message ?? "Is no name." }, ...faults];
}

function isConnector(value: JsonValue): value is ConnectorKind {
  return CONNECTORS.some((connector) => connector === value);
}
