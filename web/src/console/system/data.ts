import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

export type System = Schemas["System"];
export type Part = System["parts"][number];
export type Process = System["processes"][number];
export type Job = System["jobs"][number];
export type Setting = System["settings"][number];

export const systemQuery = queryOptions({
  queryKey: ["/system"],
  queryFn: ({ signal }) => get("/system", {}, signal),
  refetchInterval: 10_000,
});

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** unit;
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
