import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../../ui/api.ts";

export type Part = { readonly name: string; readonly state: "good" | "attention" | "bad"; readonly says: string };

export type Process = {
  readonly process_id: string;
  readonly this_one: boolean;
  readonly alive: boolean;
  readonly host: string;
  readonly pid: number;
  readonly started_at: string;
  readonly seen_at: string;
  readonly version: string | null;
  readonly node: string | null;
  readonly memory_bytes: number | null;
  readonly ledger_violations: number | null;
  readonly ledger_checked_at: string | null;
  readonly open_breakers: readonly { readonly provider: string; readonly operator: string }[] | null;
  readonly clock_behind_ms: number | null;
  readonly failing_jobs: readonly string[] | null;
};

export type Job = {
  readonly name: string;
  readonly every_seconds: number;
  readonly ran_at: string | null;
  readonly took_ms: number | null;
  readonly succeeded_at: string | null;
  readonly failures: number;
  readonly error: string | null;
};

export type Setting = { readonly name: string; readonly value: string | null };

export type System = Schemas["System"];

export const systemQuery = queryOptions({
  queryKey: ["/system"],
  queryFn: ({ signal }) => get<System>("/system", {}, signal),
  refetchInterval: 10_000,
});

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** unit;
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
