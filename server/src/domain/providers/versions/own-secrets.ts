import { secretNames } from "../connector-setup.ts";
import type { Secrets } from "../description/request/scope.ts";
import type { DescribedProvider } from "../settings/described-provider.ts";
import { originsOf } from "../settings/provider-origins.ts";
import type { KeptVersion } from "./version-store.ts";

type Described = Omit<DescribedProvider, "provider">;

// The name of a secret has only small letters, digits and _.
const OF_VERSION = "@";

/** The stored secrets as one version uses them: the shared ones, or its own where it has kept an earlier value. */
export function secretsOfVersion(stored: Secrets, version: number): Secrets {
  const suffix = `${OF_VERSION}${version}`;
  const own = Object.entries(stored).flatMap(([name, value]) => (name.endsWith(suffix) ? [[name.slice(0, -suffix.length), value]] : []));
  return Object.fromEntries([...Object.entries(stored).filter(([name]) => isShared(name)), ...own]);
}

export function isShared(name: string): boolean {
  return !name.includes(OF_VERSION);
}

/** Those of the versions whose secrets are not the same after a change. */
export function withOtherSecrets(versions: readonly KeptVersion[], held: Secrets, next: Secrets): readonly number[] {
  const changed = versions.filter(({ connector, settings, version }) => {
    const [before, after] = [secretsOfVersion(held, version), secretsOfVersion(next, version)];
    return secretNames(connector, settings).some((name) => before[name] !== after[name]);
  });
  return changed.map(({ version }) => version);
}

type Change = { readonly held: Secrets; readonly next: Secrets; readonly current: Described; readonly kept: readonly KeptVersion[] };

/**
 * Versions that still finish orders at other addresses keep the value that a secret had. Otherwise their polls would send the
 * new value, which may be another company's, to the old address.
 */
export function ownSecrets({ held, next, current, kept }: Change): Secrets {
  const addresses = new Set(originsOf(current));
  const pairs = kept.flatMap((one) => {
    const isElsewhere = originsOf(one).some((origin) => !addresses.has(origin));
    return secretNames(one.connector, one.settings).flatMap((name): readonly (readonly [string, string])[] => {
      const [own, shared] = [`${name}${OF_VERSION}${one.version}`, held[name]];
      const earlier = held[own];
      if (earlier !== undefined) return [[own, earlier]];
      const isReplaced = isElsewhere && shared !== undefined && next[name] !== undefined && next[name] !== shared;
      return isReplaced ? [[own, shared]] : [];
    });
  });
  return Object.fromEntries(pairs);
}
