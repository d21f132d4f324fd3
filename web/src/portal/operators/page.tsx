import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { RadioTower } from "lucide-react";
import type { ReactNode } from "react";
import { operatorsText } from "../../messages/en/operators.ts";
import { serverText } from "../../messages/server-text.ts";
import { matchingOperators, operatorFilters } from "../../operators/operator.ts";
import { FIRST_COLUMNS, OperatorTable, RATE_COLUMN } from "../../operators/operators.tsx";
import { HOURS_COLUMN, SIGNING_COLUMN } from "../../operators/services.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { wholeList } from "../../ui/lists/list.ts";
import { Card, PageHeader } from "../../ui/page.tsx";
import { type Operator, operatorsQuery, type Service, servicesQuery } from "../catalogue.ts";
import { AccountServiceState } from "./service-state.tsx";

const REFRESH_MILLISECONDS = 30_000;

export function OperatorsPage(): ReactNode {
  const services = useQuery({ ...servicesQuery, refetchInterval: REFRESH_MILLISECONDS });
  return (
    <>
      <PageHeader title={operatorsText.operatorsAndServices}>{operatorsText.theServicesAvailableToYour}</PageHeader>
      <div className="space-y-8">
        <Card title={operatorsText.services} flush>
          <ListTable
            label={operatorsText.services}
            columns={SERVICE_COLUMNS}
            list={wholeList(services)}
            rowKey={(row) => row.service}
            link={(row) => ({ to: "/operators/services/$service", params: { service: row.service }, search: true, resetScroll: false })}
            empty={<EmptyState icon={RadioTower}>{operatorsText.servicesWillAppearHereWhen}</EmptyState>}
          />
        </Card>
        <Operators />
      </div>
      <Outlet />
    </>
  );
}

function Operators(): ReactNode {
  const search = useSearch({ from: "/shell/operators" });
  const query = useQuery({ ...operatorsQuery, refetchInterval: REFRESH_MILLISECONDS });
  return (
    <section aria-labelledby="operators">
      <h2 id="operators" className="mb-3 text-base font-semibold">
        {operatorsText.rechargeOperators}
      </h2>
      <FilterBar filters={operatorFilters(query.data)} />
      <OperatorTable
        label={operatorsText.rechargeOperators}
        query={query}
        rows={matchingOperators(query.data, search)}
        columns={OPERATOR_COLUMNS}
      />
    </section>
  );
}

const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { header: operatorsText.service, cell: (row) => serverText(row.name) },
  { header: operatorsText.state, cell: (row) => <AccountServiceState service={row} /> },
  { ...HOURS_COLUMN, wideOnly: true },
  SIGNING_COLUMN,
  { header: operatorsText.minimum, right: true, wideOnly: true, cell: (row) => <Limit value={row.limits.per_transaction_min} /> },
  { header: operatorsText.maximum, right: true, wideOnly: true, cell: (row) => <Limit value={row.limits.per_transaction_max} /> },
];

const OPERATOR_COLUMNS: readonly Column<Operator>[] = [
  ...FIRST_COLUMNS,
  RATE_COLUMN,
  { header: operatorsText.minimum, right: true, wideOnly: true, cell: (row) => <Money value={row.min_amount} /> },
  { header: operatorsText.maximum, right: true, wideOnly: true, cell: (row) => <Money value={row.max_amount} /> },
];

function Limit({ value }: { readonly value: string | null }): ReactNode {
  return value === null ? <span className="text-soft">–</span> : <Money value={value} />;
}
