import { operatorsText } from "../messages/en/operators.ts";
import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";
import type { Filter } from "../ui/lists/filter-bar.tsx";
import { kindText } from "./labels.ts";

/** A telecom or DTH operator as clients or staff see it. */
export type Operator = Schemas["Operator"] | OperatorSchemas["OperatorState"];

export type Service = Schemas["Service"] | OperatorSchemas["ServiceState"];

type Search = { readonly search?: string; readonly kind?: string; readonly status?: string };

/** The operators that the filters of the URL leave. */
export function matchingOperators<Row extends Operator>(
  rows: readonly Row[] | undefined,
  { search = "", kind, status }: Search,
): readonly Row[] | undefined {
  const wanted = search.toLowerCase();
  return rows?.filter(
    (row) =>
      `${row.name} ${row.operator}`.toLowerCase().includes(wanted) &&
      (kind ?? row.kind) === row.kind &&
      (status ?? row.status) === row.status,
  );
}

const HEALTH = [
  { value: "up", label: operatorsText.up },
  { value: "slow", label: operatorsText.slow },
  { value: "down", label: operatorsText.down },
  { value: "off", label: operatorsText.off },
];

/** The filters by the kinds that occur and by health. */
export function operatorFilters(rows: readonly Operator[] | undefined): readonly Filter[] {
  const kinds = [...new Set(rows?.map((row) => row.kind))];
  return [
    { kind: "choice", name: "kind", label: operatorsText.kind, options: kinds.map((value) => ({ value, label: kindText(value) })) },
    { kind: "choice", name: "status", label: operatorsText.health, options: HEALTH },
  ];
}
