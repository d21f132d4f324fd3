import { type CallbackRefusal, isRefusal, refusedCallback } from "../callbacks/refused-callback.ts";
import type { Connector, ProviderMessage, Report } from "../connector.ts";
import type { Provider } from "../provider-directory.ts";
import { isVersioned } from "../store.ts";
import { chooseVersion } from "./choose-version.ts";
import { compareFindings } from "./compare-findings.ts";
import type { Compared } from "./shadow-log.ts";

/**
 * The connector of a version, or the current one for an order without a version. Null when the version is not loaded or cannot
 * be started: another one may ask another host, and its "not found" would refund an order that was carried out.
 */
export function connectorOf(provider: Provider | undefined, version: number | null): Connector | null {
  if (version === null || version === provider?.row.version) return provider?.connector ?? null;
  return provider?.versions.get(version) ?? null;
}

/** The version of the settings that a new order uses. Only a description can have a candidate beside it. */
export function versionFor(provider: Provider | undefined, orderId: string): number | null {
  if (!provider || !isVersioned(provider.row.connector)) return null;
  if (provider.row.connector !== "description") return provider.row.version;
  const { version, candidate_version: candidate, candidate_percent: percent } = provider.row;
  // A candidate that cannot be started gets no orders.
  const usable = candidate !== null && provider.versions.has(candidate) ? candidate : null;
  return chooseVersion({ provider: provider.row.provider, version, candidate: usable, percent }, orderId);
}

type Note = ((compared: Compared) => void) | undefined;

/**
 * Reads a callback by the current version, or by the first other one that understands it. The order that it is about then
 * decides: its own version reads it again, so that another version's rules or weaker proof never apply to it.
 */
export function readVersionedCallback(provider: Provider | undefined, message: ProviderMessage, note: Note): Report | CallbackRefusal {
  if (!provider) return refusedCallback("unknown_provider");
  const current = readBy(provider.connector, message);
  const hasVersions = isVersioned(provider.row.connector);
  if (!hasVersions && provider.versions.size === 0) return current;
  noteDifference(provider, message, current, note);
  const readAs = (other: number | null) => asVersion(provider, other, message);
  if (!isRefusal(current)) return { ...current, ...(hasVersions ? { version: provider.row.version } : {}), readAs };
  for (const version of provider.callbackVersions) {
    const report = readBy(provider.versions.get(version) ?? null, message);
    if (!isRefusal(report)) return { ...report, version, readAs };
  }
  return current;
}

function asVersion(provider: Provider, version: number | null, message: ProviderMessage): Report | CallbackRefusal {
  const reading = readBy(connectorOf(provider, version), message);
  return isRefusal(reading) ? reading : { ...reading, ...(version === null ? {} : { version }) };
}

function readBy(connector: Connector | null, message: ProviderMessage): Report | CallbackRefusal {
  return connector?.readCallback?.(message) ?? refusedCallback("not_expected");
}

/** A message that the current version cannot prove to be the provider's is not compared: anybody could send it. */
function noteDifference({ row, versions }: Provider, message: ProviderMessage, current: Report | CallbackRefusal, note: Note): void {
  const { provider, candidate_version: version } = row;
  const candidate = version === null ? undefined : versions.get(version);
  if (version === null || candidate === undefined || note === undefined || isRefusal(current)) return;
  const read = readBy(candidate, message);
  const found = isRefusal(read) ? { kind: `refused: ${read.refused}` } : read.finding;
  const { reference } = current;
  note({ provider, version, operation: "callback", reference, fields: compareFindings(current.finding, found) });
}
