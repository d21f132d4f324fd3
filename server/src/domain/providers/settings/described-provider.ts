import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { checkSetup } from "../connector-setup.ts";
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
  const { connector = "description", ...rest } = value;
  if (!isConnector(connector)) return { ok: false, faults: [{ path: "connector", message: `Must be one of ${CONNECTORS.join(", ")}.` }] };
  const { name, ...settings } = rest;
  const provider = typeof name === "string" ? name : "";
  // A description contains its own name.
  const described = { provider, connector, settings: connector === "description" ? rest : settings };
  const faults = faultsIn(described);
  return faults.length === 0 ? { ok: true, described } : { ok: false, faults };
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
