import type { Clock } from "../../platform/core/clock.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import { type ConfigurationKind, type ConfigurationObject, fingerprintOf, objectDigest, REMOVABLE_KINDS } from "./configuration.ts";

/** Which objects the files contained: all of a kind, or those with these names. */
export type Managed = Readonly<Partial<Record<ConfigurationKind, "all" | readonly string[]>>>;

export type Applied = {
  readonly appliedAt: Date;
  readonly appliedBy: string;
  readonly fingerprint: string;
  readonly alertOnDrift: boolean;
  readonly drift: string | null;
};

export type ApplyRecord = {
  readonly managed: Managed;
  /** The fingerprint of the managed objects, as the caller has read them after applying. */
  readonly fingerprint: string;
  /** Undefined leaves it as it was. */
  readonly alertOnDrift: boolean | undefined;
};

type RecordContext = { readonly sql: Sql; readonly clock: Clock };

/** Remembers what was applied. Refused if the settings are no longer those that the caller has read. */
export async function recordApplied(
  { sql, clock }: RecordContext,
  actor: string,
  { managed, fingerprint, alertOnDrift: asked }: ApplyRecord,
  current: readonly ConfigurationObject[],
): Promise<Applied | "changed"> {
  const objects = current.filter((one) => isManaged(managed, one));
  if (fingerprintOf(objects) !== fingerprint) return "changed";
  const wholeKinds = REMOVABLE_KINDS.filter((kind) => managed[kind] === "all");
  const at = new Date(clock.now());
  return await sql.begin(async (tx) => {
    const alertOnDrift = asked ?? (await readApplied(tx))?.alertOnDrift ?? false;
    await tx`delete from applied_configuration_objects`;
    await tx`
      insert into applied_configuration_objects (kind, name, digest)
      select * from unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ name }) => name)}::text[],
        ${objects.map(objectDigest)}::text[])`;
    await tx`
      insert into applied_configuration (applied_at, applied_by, fingerprint, alert_on_drift, whole_kinds)
      values (${at}, ${actor}, ${fingerprint}, ${alertOnDrift}, ${wholeKinds})
      on conflict (singleton) do update set applied_at = excluded.applied_at, applied_by = excluded.applied_by,
        fingerprint = excluded.fingerprint, alert_on_drift = excluded.alert_on_drift, whole_kinds = excluded.whole_kinds, drift = null`;
    const details = { fingerprint, objects: objects.length, alert_on_drift: alertOnDrift };
    await appendAudit(tx, at, { actor, action: "configuration.applied", subject: { kind: "configuration", id: "files" }, details });
    return { appliedAt: at, appliedBy: actor, fingerprint, alertOnDrift, drift: null };
  });
}

function isManaged(managed: Managed, { kind, name }: ConfigurationObject): boolean {
  const names = managed[kind];
  return names === "all" || (names?.includes(name) ?? false);
}

export async function readApplied(sql: Queryable): Promise<Applied | null> {
  const [row] = await sql<Applied[]>`
    select applied_at as "appliedAt", applied_by as "appliedBy", fingerprint, alert_on_drift as "alertOnDrift", drift
    from applied_configuration`;
  return row ?? null;
}

type DriftContext = { readonly sql: Sql; readonly read: (kinds: readonly ConfigurationKind[]) => Promise<readonly ConfigurationObject[]> };

/** How the settings differ from what was applied last; null if they do not, or if nothing was applied. */
export async function findDrift({ sql, read }: DriftContext): Promise<string | null> {
  const [applied] = await sql<{ whole_kinds: readonly ConfigurationKind[] }[]>`select whole_kinds from applied_configuration`;
  if (!applied) return null;
  const stored = await sql<{ kind: ConfigurationKind; name: string; digest: string }[]>`
    select kind, name, digest from applied_configuration_objects`;
  const kinds = [...new Set([...stored.map(({ kind }) => kind), ...applied.whole_kinds])];
  return driftText(stored, applied.whole_kinds, await read(kinds));
}

/** Stores the drift for the alert, if one was asked for. Returns whether it has changed. */
export async function checkDrift(ctx: DriftContext): Promise<boolean> {
  const applied = await readApplied(ctx.sql);
  if (!applied?.alertOnDrift) return false;
  const drift = await findDrift(ctx);
  if (drift === applied.drift) return false;
  // An apply in the meantime has removed the drift.
  await ctx.sql`update applied_configuration set drift = ${drift} where applied_at = ${applied.appliedAt}`;
  return true;
}

const NAMED = 5;

/** Null if nothing differs. */
export function driftText(
  stored: readonly { readonly kind: ConfigurationKind; readonly name: string; readonly digest: string }[],
  wholeKinds: readonly ConfigurationKind[],
  current: readonly ConfigurationObject[],
): string | null {
  const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }) => `${kind} ${name}`;
  const digests = new Map(current.map((one) => [keyOf(one), objectDigest(one)]));
  const known = new Set(stored.map(keyOf));
  const changed = stored.filter((one) => digests.get(keyOf(one)) !== one.digest).map(keyOf);
  const added = current.filter((one) => wholeKinds.includes(one.kind) && !known.has(keyOf(one))).map(keyOf);
  const all = [...changed, ...added].toSorted();
  if (all.length === 0) return null;
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
  const count = all.length === 1 ? "1 object differs" : `${all.length} objects differ`;
  return `${count} from the configuration files that were applied last: ${all.slice(0, NAMED).join(", ")}${more}. corprail plan shows how.`;
}
