import { createHash } from "node:crypto";
import { canonicalJson } from "../../platform/core/canonical-json.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Connector } from "./connector.ts";
import { type ConnectorDependencies, checkSetup, type ProviderSetup, secretNames } from "./connector-setup.ts";
import { readDescriptionInSlices } from "./description/definition.ts";
import { secretMask } from "./masking/mask-secrets.ts";
import type { LiveCause, ModeFacts, ModeSetting } from "./mode/mode.ts";
import { readLiveCause } from "./mode/mode-store.ts";
import { createStateStore } from "./plugin/state-store.ts";
import type { Route } from "./routing/routing.ts";
import { isSimulated } from "./settings/capabilities.ts";
import { literalAddressFaults } from "./settings/check-description.ts";
import { faultText } from "./settings/faults.ts";
import { unsealSecrets } from "./settings/provider-secrets.ts";
import { secretsFromEnvironment } from "./settings/secrets.ts";
import { type ProviderRow, readProviders, readRoutes, sealedOf } from "./store.ts";
import { secretsOfVersion } from "./versions/own-secrets.ts";
import { type Compared, shadowOf } from "./versions/shadow-log.ts";
import { readKeptVersions, readSecretsChanges } from "./versions/version-store.ts";

/** A provider as loaded in this process. */
export type Provider = {
  readonly row: ProviderRow;
  /** Null when it cannot be started; `fault` says why. */
  readonly connector: Connector | null;
  readonly fault: string | null;
  /** The names of the secrets that are set. */
  readonly secrets: readonly string[];
  /** Masks its secrets in a text. */
  readonly mask: (text: string) => string;
  /** The connectors of other versions of its settings: the candidate, and those that still finish orders. */
  readonly versions: ReadonlyMap<number, Connector>;
  /** Those of them that may read callbacks otherwise than the current one or another of them, newest first. */
  readonly callbackVersions: readonly number[];
};

export type ProviderDirectory = {
  readonly provider: (name: string) => Provider | undefined;
  readonly providers: () => readonly Provider[];
  readonly routes: () => readonly Route[];
  /** When the secrets of a version last changed; null if they never did. */
  readonly secretsChangedAt: (provider: string, version: number) => number | null;
  /** The inputs that determine the installation's mode. */
  readonly modeFacts: () => ModeFacts;
  readonly load: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type DirectoryOptions = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly modeSetting: ModeSetting;
  readonly connectorDependencies: (provider: string) => Omit<ConnectorDependencies, "state" | "log" | "shadowOf">;
  /** Called with every answer that a candidate version has read again. */
  readonly noteCompared?: ((compared: Compared) => void) | undefined;
};

/**
 * `fingerprint` changes with anything the connector depends on, `ofCallbacks` with what the reading of a callback depends on.
 * They are separate from the provider, because they cover secrets.
 */
type Held = { readonly provider: Provider; readonly fingerprint: string; readonly ofCallbacks: string };

/** Providers and routes in memory, each provider with its running connector. */
export function createProviderDirectory(options: DirectoryOptions): ProviderDirectory {
  let held: ReadonlyMap<string, Held> = new Map();
  // Also those of other versions, by provider and version.
  let opened: ReadonlyMap<string, Held> = new Map();
  let routes: readonly Route[] = [];
  let stored: LiveCause | null = null;
  let secretsChanges: ReadonlyMap<string, number> = new Map();
  const retired = new Map<NodeJS.Timeout, Connector>();

  // A replaced connector is closed only after its current requests have finished.
  function retire(connector: Connector): void {
    const timer = setTimeout(() => {
      retired.delete(timer);
      void connector.close();
    }, connector.timeoutMilliseconds).unref();
    retired.set(timer, connector);
  }

  const providers = () => [...held.values()].map(({ provider }) => provider);
  const allProviders = () => [...opened.values()].map(({ provider }) => provider);

  const own: HoldOptions = {
    ...options,
    shadowOf: (provider) => (connector) => {
      const found = held.get(provider)?.provider;
      return found?.connector === connector ? shadowOf(found, options) : null;
    },
  };

  async function load(): Promise<void> {
    const [rows, readRows, cause, versions, changes] = await options.sql.begin("isolation level repeatable read read only", (tx) => [
      readProviders(tx),
      readRoutes(tx),
      readLiveCause(tx),
      readKeptVersions(tx, options.connectorDependencies("").clock.now()),
      readSecretsChanges(tx),
    ]);
    const rowOf = new Map(rows.map((row) => [row.provider, row]));
    const others = await Promise.all(
      versions.flatMap(({ provider, ...version }) => {
        const row = rowOf.get(provider);
        return row ? [hold(own, { ...row, ...version }, opened.get(keyOf({ provider, ...version })))] : [];
      }),
    );
    const current = await Promise.all(rows.map((row) => hold(own, row, opened.get(keyOf(row)) ?? held.get(row.provider))));
    const next = current.map((one) => withVersions(one, others));
    const kept = new Set([...current, ...others].map(({ provider }) => provider.connector));
    for (const { connector } of allProviders()) if (connector && !kept.has(connector)) retire(connector);
    held = new Map(next.map((one) => [one.provider.row.provider, one]));
    opened = new Map([...others, ...next].map((one) => [keyOf(one.provider.row), one]));
    routes = readRows;
    stored = cause;
    secretsChanges = new Map(changes.map((change) => [keyOf(change), change.at.getTime()]));
  }

  function isReal(route: Route): boolean {
    const row = held.get(route.provider)?.provider.row;
    return route.enabled && row !== undefined && !isSimulated(row);
  }

  return {
    provider: (name) => held.get(name)?.provider,
    providers,
    routes: () => routes,
    secretsChangedAt: (provider, version) => secretsChanges.get(keyOf({ provider, version })) ?? null,
    modeFacts: () => ({ setting: options.modeSetting, stored, hasRealRoute: routes.some(isReal) }),
    load,
    close: async () => {
      for (const timer of retired.keys()) clearTimeout(timer);
      const open = [...retired.values(), ...allProviders().flatMap((provider) => provider.connector ?? [])];
      retired.clear();
      await Promise.all(open.map((connector) => connector.close()));
    },
  };
}

function keyOf({ provider, version }: Pick<ProviderRow, "provider" | "version">): string {
  return `${provider}/${version}`;
}

/** A version that cannot be started is left out. Its orders stay as they are until it can. */
function withVersions(one: Held, others: readonly Held[]): Held {
  const { row } = one.provider;
  const own = others.filter(({ provider }) => provider.row.provider === row.provider);
  const connectors = own.flatMap(({ provider }) => (provider.connector ? [[provider.row.version, provider.connector] as const] : []));
  return { ...one, provider: { ...one.provider, versions: new Map(connectors), callbackVersions: callbackVersions(one, own) } };
}

/** Anybody can send a callback, so that a message is not read by every version that was saved lately. */
function callbackVersions(current: Held, others: readonly Held[]): readonly number[] {
  const known = new Set(current.provider.connector ? [current.ofCallbacks] : []);
  return others.toReversed().flatMap(({ provider, ofCallbacks }) => {
    if (provider.connector === null || known.has(ofCallbacks)) return [];
    known.add(ofCallbacks);
    return [provider.row.version];
  });
}

type HoldOptions = DirectoryOptions & { readonly shadowOf: (provider: string) => ConnectorDependencies["shadowOf"] };

async function hold(options: HoldOptions, read: ProviderRow, before: Held | undefined): Promise<Held> {
  const row = await withKnownSettings(read, before?.provider.row);
  try {
    const setup = await setupOf(options, row);
    const fingerprint = fingerprintOf(setup);
    if (before?.fingerprint === fingerprint) return { ...before, provider: { ...before.provider, row } };
    const ofCallbacks = fingerprintOf({ ...setup, settings: { ...setup.settings, operations: null, login: null } });
    return { provider: open(options, row, setup), fingerprint, ofCallbacks };
  } catch (error) {
    // An older connector is better than none, because this provider's pending orders must be polled.
    options.log.error({ err: error, provider: row.provider }, "loading a provider failed");
    const connector = before?.provider.connector ?? null;
    return {
      provider: {
        row: connector && before ? asHeld(row, before.provider.row) : row,
        connector,
        fault: "Its secrets cannot be decrypted.",
        secrets: [],
        mask: () => "",
        ...NO_VERSIONS,
      },
      fingerprint: "",
      ofCallbacks: before?.ofCallbacks ?? "",
    };
  }
}

/** The row with the settings that its connector runs with, so that orders are stored with the version that sends them. */
function asHeld(row: ProviderRow, { version, connector, settings }: ProviderRow): ProviderRow {
  return { ...row, version, connector, settings };
}

/** Settings that have not changed stay the same object, because a description that was read once is not read again. */
async function withKnownSettings(row: ProviderRow, before: ProviderRow | undefined): Promise<ProviderRow> {
  if (before?.connector === row.connector && canonicalJson(before.settings) === canonicalJson(row.settings))
    return { ...row, settings: before.settings };
  if (row.connector === "description") await readDescriptionInSlices(row.settings);
  return row;
}

function fingerprintOf({ connector, settings, secrets }: ProviderSetup): string {
  return createHash("sha256")
    .update(canonicalJson([connector, settings, { ...secrets }]))
    .digest("hex");
}

async function setupOf(options: DirectoryOptions, row: ProviderRow): Promise<ProviderSetup> {
  const sealed = secretsOfVersion(await unsealSecrets(options.vault, row.provider, sealedOf(row)), row.version);
  const fromEnvironment = secretsFromEnvironment(row.provider, secretNames(row.connector, row.settings), options.environment);
  return { provider: row.provider, connector: row.connector, settings: row.settings, secrets: { ...fromEnvironment, ...sealed } };
}

const NO_VERSIONS: Pick<Provider, "versions" | "callbackVersions"> = { versions: new Map(), callbackVersions: [] };

function open(options: HoldOptions, row: ProviderRow, setup: ProviderSetup): Provider {
  const checked = checkSetup(setup);
  const secrets = Object.keys(setup.secrets).sort();
  const deps = options.connectorDependencies(row.provider);
  const refused = checked.ok ? literalAddressFaults(deps.egress, row) : checked.faults;
  const fault = refused.length > 0 || !checked.ok ? faultText(refused) : missingText(checked.missing);
  if (fault !== null) options.log.warn({ provider: row.provider, fault }, "provider is not completely configured and gets no orders");
  const { log } = options;
  const state = createStateStore({ ...options, clock: deps.clock }, row);
  const shadow = options.shadowOf(row.provider);
  const connector = checked.ok && fault === null ? checked.open({ ...deps, state, log, ...(shadow ? { shadowOf: shadow } : {}) }) : null;
  return { row, connector, fault, secrets, mask: secretMask(Object.values(setup.secrets)), ...NO_VERSIONS };
}

function missingText(missing: readonly string[]): string | null {
  return missing.length === 0 ? null : `Secrets are missing: save them, or set ${missing.join(", ")}.`;
}
