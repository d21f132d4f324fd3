import type { UseQueryResult } from "@tanstack/react-query";
import { RadioTower } from "lucide-react";
import type { ReactNode } from "react";
import { operatorsText } from "../messages/en/operators.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { Code } from "../ui/formats/copy.tsx";
import { Money } from "../ui/formats/money.tsx";
import { type Column, ListTable } from "../ui/lists/data-table.tsx";
import { wholeList } from "../ui/lists/list.ts";
import { Card, type Fact } from "../ui/page.tsx";
import { kindText, rateText } from "./labels.ts";
import type { Operator } from "./operator.ts";

type TableProps<Row> = {
  readonly label: string;
  readonly query: UseQueryResult<readonly Row[]>;
  /** The rows that match the filters. */
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
};

/** The operators. A row opens the operator's drawer. */
export function OperatorTable<Row extends Operator>({ label, query, rows, columns }: TableProps<Row>): ReactNode {
  return (
    <Card flush>
      <ListTable
        label={label}
        list={wholeList(query, rows)}
        columns={columns}
        rowKey={(row) => row.operator}
        link={(row) => ({ to: "/operators/$operator", params: { operator: row.operator }, search: true, resetScroll: false })}
        empty={<EmptyState icon={RadioTower}>{operatorsText.noOperatorMatchesTheseFilters}</EmptyState>}
      />
    </Card>
  );
}

/** Name and code, kind, and health. */
export const FIRST_COLUMNS: readonly Column<Operator>[] = [
  { header: operatorsText.operator, cell: (row) => <NameAndCode name={row.name} code={row.operator} /> },
  { header: operatorsText.kind, wideOnly: true, cell: (row) => kindText(row.kind) },
  { header: operatorsText.health, cell: (row) => <Status value={row.status} /> },
];

export const RATE_COLUMN: Column<Operator> = {
  header: operatorsText.successLastHour,
  right: true,
  sort: (row) => row.success_rate_1h ?? -1,
  cell: (row) => <span className="tabular-nums">{rateText(row.success_rate_1h)}</span>,
};

export function NameAndCode({ name, code }: { readonly name: string; readonly code: string }): ReactNode {
  return (
    <span className="block">
      {name}
      <span className="block font-mono font-normal text-soft text-xs">{code}</span>
    </span>
  );
}

export function operatorFacts(operator: Operator): readonly Fact[] {
  return [
    [operatorsText.code, <Code key="code" text={operator.operator} />],
    [operatorsText.kind, kindText(operator.kind)],
    [operatorsText.health, <Status key="status" value={operator.status} />],
    [operatorsText.successLastHour, rateText(operator.success_rate_1h)],
    [operatorsText.account, operator.account_label],
    [operatorsText.example, <Code key="example" text={operator.account_example} />],
    [operatorsText.pattern, <Code key="pattern" text={operator.account_pattern} />],
    [operatorsText.minimum, <Money key="min" value={operator.min_amount} />],
    [operatorsText.maximum, <Money key="max" value={operator.max_amount} />],
    [operatorsText.amounts, <Amounts key="amounts" amounts={operator.denominations} />],
  ];
}

function Amounts({ amounts }: { readonly amounts: readonly string[] }): ReactNode {
  if (amounts.length === 0) return operatorsText.anyAmountBetweenMinimumAnd;
  return (
    <span className="flex flex-wrap gap-x-4">
      {amounts.map((amount) => (
        <Money key={amount} value={amount} />
      ))}
    </span>
  );
}
