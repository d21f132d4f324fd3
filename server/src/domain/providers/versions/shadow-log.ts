import type { Clock } from "../../../platform/core/clock.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Connector, Shadow } from "../connector.ts";
import type { ProviderRow } from "../store.ts";
import { compareFindings, failedReading } from "./compare-findings.ts";
import type { DifferingFields } from "./version-store.ts";

/** One answer that a candidate has read again. */
export type Compared = {
  readonly provider: string;
  readonly version: number;
  readonly operation: string;
  readonly reference: string;
  /** Null when both versions read the same. */
  readonly fields: DifferingFields | null;
};

export type ShadowLog = {
  /** Never fails and never waits. */
  readonly note: (compared: Compared) => void;
  /** Writes what was noted since the last time. */
  readonly flush: () => Promise<void>;
};

type Dependencies = { readonly sql: Sql; readonly clock: Clock; readonly ids: Ids };
type Noted = { compared: number; differing: number; differences: (Compared & { readonly at: number })[] };

// Counts are exact; of the differences the newest are enough to see what is wrong.
const KEPT = 200;
const MOST_AT_ONCE = 20;

/** Counts the answers that candidates read again, and keeps the differences. */
export function createShadowLog({ sql, clock, ids }: Dependencies): ShadowLog {
  let noted = new Map<string, Noted>();
  return {
    note: (compared) => {
      const key = `${compared.provider}/${compared.version}`;
      const own = noted.get(key) ?? { compared: 0, differing: 0, differences: [] };
      own.compared += 1;
      if (compared.fields !== null) {
        own.differing += 1;
        if (own.differences.length < MOST_AT_ONCE) own.differences.push({ ...compared, at: clock.now() });
      }
      noted.set(key, own);
    },
    flush: async () => {
      const [batch] = [noted];
      noted = new Map();
      for (const [key, one] of [...batch].sort(([a], [b]) => (a < b ? -1 : 1))) await write(sql, ids, key, one);
    },
  };
}

type Candidate = { readonly row: ProviderRow; readonly versions: ReadonlyMap<number, Connector> };
type ShadowOptions = { readonly noteCompared?: ShadowLog["note"] | undefined; readonly log: Pick<Log, "error"> };

/** Lets the candidate read an answer again and compares; null without a candidate. */
export function shadowOf({ row, versions }: Candidate, { noteCompared: note, log }: ShadowOptions): Shadow | null {
  const { provider, candidate_version: version } = row;
  const candidate = version === null ? undefined : versions.get(version);
  if (version === null || candidate?.readAgain === undefined || note === undefined) return null;
  const { readAgain } = candidate;
  return (call, finding) => {
    const { reference, service, operation } = call.request;
    const name = [service, operation, call.part === "status" ? "status" : ""].filter((part) => part !== "").join(".");
    void Promise.resolve(call)
      .then(readAgain)
      .then(
        (read) => note({ provider, version, operation: name, reference, fields: compareFindings(finding, read) }),
        (error: unknown) => {
          note({ provider, version, operation: name, reference, fields: failedReading(finding.kind, error) });
        },
      )
      .catch((error: unknown) => log.error({ err: error, provider, version }, "comparing a candidate failed"));
  };
}

const FLUSH_MILLISECONDS = 1_000;

/** The background job that writes what the candidates have read. */
export function shadowJob({ flush }: ShadowLog) {
  return { name: "readings of candidates", everyMilliseconds: FLUSH_MILLISECONDS, run: flush };
}

async function write(sql: Sql, ids: Ids, key: string, { compared, differing, differences }: Noted): Promise<void> {
  const [provider = "", number] = key.split("/");
  const version = Number(number);
  await sql.begin(async (tx) => {
    const [found] = await tx`
      update provider_versions set compared = compared + ${compared}, differing = differing + ${differing}
      where provider = ${provider} and version = ${version} returning version`;
    if (found === undefined || differences.length === 0) return;
    for (const one of differences) {
      await tx`
        insert into provider_version_differences (difference_id, provider, version, at, operation, reference, fields)
        values (${ids.entry(one.at)}, ${provider}, ${version}, ${new Date(one.at)}, ${one.operation}, ${one.reference.slice(0, 64)},
          ${tx.json(one.fields ?? {})})`;
    }
    await tx`
      delete from provider_version_differences where difference_id in (
        select difference_id from provider_version_differences where provider = ${provider} and version = ${version}
        order by difference_id desc offset ${KEPT})`;
  });
}
