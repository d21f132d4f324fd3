import type { z } from "zod";
import type { VersionCount } from "../../../domain/orders/queries/count-by-version.ts";
import type { ProviderRow } from "../../../domain/providers/store.ts";
import type { DifferenceRow, VersionRow } from "../../../domain/providers/versions/version-store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { providerVersionsOutput } from "./version-outputs.ts";

type Views = z.output<typeof providerVersionsOutput>;

export function versionView(one: VersionRow, row: ProviderRow, counts: readonly VersionCount[]): Views["versions"][number] {
  const own = counts.filter(({ version }) => version === one.version);
  const sum = (read: (count: VersionCount) => number) => own.reduce((total, count) => total + read(count), 0);
  return {
    version: one.version,
    state: stateOf(one, row),
    created_at: indiaDateTime(one.created_at.getTime()),
    created_by: one.created_by,
    reason: one.reason,
    retired_at: one.retired_at && indiaDateTime(one.retired_at.getTime()),
    compared: Number(one.compared),
    differing: Number(one.differing),
    last_day: { succeeded: sum((count) => count.succeeded), failed: sum((count) => count.failed), pending: sum((count) => count.pending) },
  };
}

function stateOf({ version }: VersionRow, row: ProviderRow): Views["versions"][number]["state"] {
  if (version === row.version) return "current";
  return version === row.candidate_version ? "candidate" : "earlier";
}

export function differenceView({ difference_id, at, operation, reference, fields }: DifferenceRow): Views["differences"][number] {
  const differing = Object.entries(fields).map(([field, { current, candidate }]) => ({ field, current, candidate }));
  return { difference_id, at: indiaDateTime(at.getTime()), operation, reference, fields: differing };
}
