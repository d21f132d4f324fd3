import { memoryStore } from "@corprail/connector/host";
import type { Clock } from "../../../platform/core/clock.ts";
import { createLog } from "../../../platform/observability/log.ts";
import type { Connector, ProviderExchange, Recorder } from "../connector.ts";
import type { CheckedSetup } from "../connector-setup.ts";
import { DEFAULT_SIMULATOR } from "../simulator/simulator.ts";
import type { Egress } from "../wire/exchange.ts";
import { addressFaults } from "./check-description.ts";
import type { DescribedProvider } from "./described-provider.ts";
import { faultText } from "./faults.ts";
import { originPlaces } from "./provider-origins.ts";

/** One step of a check, such as the login. */
export type ConnectionStep = {
  readonly step: "address" | "login" | "balance";
  readonly ok: boolean;
  /** For people: what was found or what is wrong. */
  readonly detail: string;
  /** Null when nothing was sent. */
  readonly milliseconds: number | null;
};

export type ConnectionToCheck = {
  readonly described: DescribedProvider;
  readonly connector: Connector;
  readonly egress: Egress;
  readonly signal: AbortSignal;
};

/** A connector that is opened for a check only. It keeps nothing and reports nothing. */
export function openToCheck(setup: UsableSetup, { clock, egress }: { readonly clock: Clock; readonly egress: Egress }): Connector {
  const quiet = { state: memoryStore(), log: createLog("silent"), reportTo: () => {} };
  return setup.open({ ...quiet, clock, egress, simulator: DEFAULT_SIMULATOR });
}

type UsableSetup = Extract<CheckedSetup, { readonly ok: true }>;

/**
 * Logs in at a provider and asks for our balance there. Both are harmless: nothing is ordered and nothing is stored. The steps
 * end with the first one that fails.
 */
export async function checkConnection(checked: ConnectionToCheck): Promise<readonly ConnectionStep[]> {
  const address = await checkAddress(checked);
  return address.ok ? [address, ...(await askProvider(checked))] : [address];
}

async function askProvider({ connector, signal }: ConnectionToCheck): Promise<readonly ConnectionStep[]> {
  const login = connector.logIn === undefined ? [] : [await checkLogin(connector.logIn)];
  if (login.some(({ ok }) => !ok)) return login;
  if (connector.operations.has("balance")) return [...login, await checkBalance(connector, signal)];
  const isProved = login.length > 0;
  const detail = isProved
    ? "not asked: the provider has no balance query"
    : "nothing can be checked: the provider has neither a login nor a balance query";
  return [...login, { step: "balance", ok: isProved, detail, milliseconds: null }];
}

/** Whether requests may go where the description sends them. */
async function checkAddress({ described, egress }: ConnectionToCheck): Promise<ConnectionStep> {
  const faults = await addressFaults(egress, described);
  const origins = [...new Set(originPlaces(described).map(({ origin }) => origin))];
  const detail = faults.length > 0 ? faultText(faults) : origins.join(", ") || "none";
  return { step: "address", ok: faults.length === 0, detail, milliseconds: null };
}

async function checkLogin(logIn: NonNullable<Connector["logIn"]>): Promise<ConnectionStep> {
  const recorded = recordExchanges();
  const why = await logIn(recorded.record);
  return { step: "login", ok: why === null, ...recorded.report(why ?? "the provider gave a token") };
}

async function checkBalance(connector: Connector, signal: AbortSignal): Promise<ConnectionStep> {
  const recorded = recordExchanges();
  const result = await connector.query("balance", {}, signal, recorded.record);
  if (result.kind === "answered") return { step: "balance", ok: true, ...recorded.report(result.value.balance) };
  return { step: "balance", ok: false, ...recorded.report(result.kind === "refused" ? `refused: ${result.reason}` : result.why) };
}

/** Collects the exchanges of a step, and says how the last one was answered. */
function recordExchanges() {
  const exchanges: ProviderExchange[] = [];
  const record: Recorder = (exchange) => exchanges.push(exchange);
  const report = (words: string) => {
    const status = exchanges.at(-1)?.reply?.split("\n", 1)[0];
    const milliseconds = exchanges.reduce((sum, exchange) => sum + exchange.milliseconds, 0);
    return {
      detail: status === undefined ? words : `${words} (HTTP ${status})`,
      milliseconds: exchanges.length === 0 ? null : milliseconds,
    };
  };
  return { record, report };
}
