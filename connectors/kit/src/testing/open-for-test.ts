import { checkPlugin } from "../host/check-plugin.ts";
import { type HostedConnector, hostConnector } from "../host/host.ts";
import { memoryStore } from "../host/memory-store.ts";
import type { Clock, StateStore } from "../plugin.ts";
import { plainWire, type TestEvidence } from "./plain-wire.ts";

export type TestOptions = {
  readonly settings: unknown;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly store?: StateStore;
};

export type TestConnector = HostedConnector<(evidence: TestEvidence) => void> & {
  /** What the plug-in logged. */
  readonly lines: readonly string[];
};

/** Runs a plug-in as the service does, with a real network and a store in memory. Throws what the service would refuse. */
export function openForTest(definition: unknown, options: TestOptions): TestConnector {
  const checked = checkPlugin(definition);
  if (!checked.ok) throw new Error(checked.faults.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  const { plugin } = checked;
  const settings = plugin.settings.safeParse(options.settings);
  if (!settings.success) throw new Error(`The settings are not valid: ${JSON.stringify(settings.error?.issues)}`);
  const { secrets = {}, clock = { now: Date.now }, timeoutMs = plugin.timeoutMs } = options;
  const missing = plugin.secrets.filter((name) => !secrets[name]);
  if (missing.length > 0) throw new Error(`Secrets are missing: ${missing.join(", ")}`);
  const origins = plugin.origins ? (plugin.origins(settings.data) as readonly string[]) : null;
  const lines: string[] = [];
  const hosted = hostConnector({
    ...{ plugin, secrets, clock, origins, settings: settings.data },
    provider: plugin.name,
    wire: plainWire(timeoutMs),
    store: options.store ?? memoryStore(),
    log: (level, text, fields) => lines.push(`${level} ${text} ${JSON.stringify(fields)}`),
    limits: { timeoutMs },
  });
  return { ...hosted, lines };
}
