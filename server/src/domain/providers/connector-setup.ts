import type { OperationName, StateStore } from "@corprail/connector";
import type { Clock } from "../../platform/core/clock.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Connector, ReportTo, Shadow } from "./connector.ts";
import { createCorprailConnector } from "./corprail/corprail.ts";
import { corprailOperations } from "./corprail/operations.ts";
import { CORPRAIL_SECRETS, REQUIRED_SECRETS, readCorprailSettings } from "./corprail/settings.ts";
import { createDescriptionConnector, operationsIn } from "./description/connector.ts";
import { readDescription } from "./description/definition.ts";
import type { Random, Secrets } from "./description/request/scope.ts";
import { createPluginConnector } from "./plugin/plugin-connector.ts";
import { pluginOperations, pluginSecrets, readPluginSettings } from "./plugin/plugin-settings.ts";
import type { Fault } from "./settings/faults.ts";
import { secretVariable } from "./settings/secrets.ts";
import { createSimulator, SIMULATED_OPERATIONS, type SimulatorOptions } from "./simulator/simulator.ts";
import type { ConnectorKind } from "./store.ts";
import type { CreateWire, Egress } from "./wire/exchange.ts";

/** A provider's configuration with decrypted secrets. */
export type ProviderSetup = {
  readonly provider: string;
  readonly connector: ConnectorKind;
  readonly settings: JsonObject;
  readonly secrets: Secrets;
};

export type ConnectorDependencies = {
  readonly clock: Clock;
  readonly reportTo: ReportTo;
  readonly simulator: SimulatorOptions;
  readonly egress: Egress;
  /** Small sealed values of the provider, such as a login token. */
  readonly state: StateStore;
  readonly log: Log;
  /** What reads the answers to this connector again; null when nothing does. */
  readonly shadowOf?: (connector: Connector) => Shadow | null;
  /** For recordings: what takes the place of the network and of chance. */
  readonly recording?: {
    readonly createWire: CreateWire;
    readonly random: Random;
    /** Without the secrets, signatures cannot be computed. */
    readonly hidesComputed: boolean;
  };
};

export type CheckedSetup =
  | { readonly ok: true; readonly open: (deps: ConnectorDependencies) => Connector; readonly missing: readonly string[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Validates a provider's settings. The same code decides whether they may be saved and how they are used. */
export function checkSetup(setup: ProviderSetup): CheckedSetup {
  switch (setup.connector) {
    case "simulator":
      return checkSimulator(setup);
    case "description":
      return checkDescribed(setup);
    case "corprail":
      return checkCorprail(setup);
    case "plugin":
      return checkPluginSetup(setup);
  }
}

const NOTHING: ReadonlySet<OperationName> = new Set();

/** The operations that a provider's settings describe, whether or not its secrets are set. */
export function operationsOf(connector: ConnectorKind, settings: JsonObject): ReadonlySet<OperationName> {
  if (connector === "plugin") return pluginOperations(settings);
  if (connector === "simulator") return SIMULATED_OPERATIONS;
  if (connector === "corprail") {
    const read = readCorprailSettings(settings);
    return read.ok ? corprailOperations(read.settings.services) : NOTHING;
  }
  const read = readDescription(settings);
  return read.ok ? operationsIn(read.definition) : NOTHING;
}

/** The names of a provider's secrets, whether or not they are set. */
export function secretNames(connector: ConnectorKind, settings: JsonObject): readonly string[] {
  if (connector === "corprail") return CORPRAIL_SECRETS;
  if (connector === "plugin") return pluginSecrets(settings);
  const read = connector === "description" ? readDescription(settings) : null;
  return read?.ok ? read.definition.secrets : [];
}

function checkSimulator(setup: ProviderSetup): CheckedSetup {
  const unknown = Object.keys(setup.settings);
  if (unknown.length > 0) return { ok: false, faults: unknown.map((path) => ({ path, message: "There is no such field." })) };
  return { ok: true, missing: [], open: ({ clock, reportTo, simulator }) => createSimulator({ ...simulator, clock, reportTo }) };
}

function checkDescribed({ provider, settings, secrets }: ProviderSetup): CheckedSetup {
  const read = readDescription(settings);
  if (!read.ok) return read;
  const { definition } = read;
  if (definition.name !== provider) return { ok: false, faults: [{ path: "name", message: `Must be the provider's name, ${provider}.` }] };
  return {
    ok: true,
    missing: missingSecrets(provider, definition.secrets, secrets),
    open: ({ clock, egress, shadowOf, recording = {} }) =>
      createDescriptionConnector({ definition, secrets, clock, egress, shadowOf, ...recording }),
  };
}

function checkCorprail({ provider, settings: value, secrets }: ProviderSetup): CheckedSetup {
  const read = readCorprailSettings(value);
  if (!read.ok) return read;
  const { settings } = read;
  const { token = "", signing_secret: signingSecret = "", callback_secret: callbackSecret = "" } = secrets;
  return {
    ok: true,
    missing: missingSecrets(provider, REQUIRED_SECRETS, secrets),
    open: ({ clock, egress, recording }) =>
      createCorprailConnector({
        ...{ settings, clock, egress, secrets: { token, signingSecret, callbackSecret } },
        createWire: recording?.createWire,
        randomBytes: recording?.random.bytes,
      }),
  };
}

function checkPluginSetup({ provider, settings, secrets }: ProviderSetup): CheckedSetup {
  const read = readPluginSettings(settings);
  if (!read.ok) return read;
  const { setup } = read;
  return {
    ok: true,
    missing: missingSecrets(provider, setup.plugin.secrets, secrets),
    open: ({ clock, egress, state, log, recording }) =>
      createPluginConnector({ provider, setup, secrets, clock, egress, state, log, createWire: recording?.createWire }),
  };
}

/** Lists missing secrets by their environment variable. */
function missingSecrets(provider: string, names: readonly string[], secrets: Secrets): readonly string[] {
  return names.filter((name) => !secrets[name]).map((name) => secretVariable(provider, name));
}
