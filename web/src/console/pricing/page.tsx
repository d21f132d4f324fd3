import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { FlaskConical, Percent, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import { MONEY, useMay } from "../session.ts";
import { PreviewOrder } from "./preview-order.tsx";
import { type Rule, rateText, type ServiceNames, STATE_NAMES, STATE_OPTIONS, serviceNamesQuery, whatText, whoseText } from "./rule.ts";
import { SetRule } from "./set-rule.tsx";

const NO_NAMES: ServiceNames = new Map();

const filtersOf = (services: ServiceNames): readonly Filter[] => [
  ACCOUNT_FILTER,
  { kind: "choice", name: "service", label: "Service", options: [...services].map(([value, label]) => ({ value, label })) },
  { kind: "text", name: "operator", label: "Operator", placeholder: "AT" },
  { kind: "choice", name: "state", label: "State", options: STATE_OPTIONS },
];

/** Fee and commission rules. */
export function PricingPage(): ReactNode {
  const search = useSearch({ from: "/console/pricing" });
  const list = useList("/pricing", search);
  const services = useQuery(serviceNamesQuery).data ?? NO_NAMES;
  const [opened, setOpened] = useState<"set" | "try" | null>(null);
  const close = () => setOpened(null);
  const filtered = Object.keys(search).length > 0;
  const isAllowed = useMay(MONEY);
  const set = isAllowed && (
    <Button look="primary" icon={Plus} onClick={() => setOpened("set")}>
      Set rule
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Pricing"
        actions={
          <>
            <Button icon={FlaskConical} onClick={() => setOpened("try")}>
              Preview an order
            </Button>
            {set}
          </>
        }
      >
        Fees and commissions of orders. Only the most specific matching rule applies: account before operator, operator before service.
      </PageHeader>
      <FilterBar filters={filtersOf(services)} />
      <Card flush>
        <ListTable
          label="Rules"
          list={list}
          columns={columnsOf(services)}
          rowKey={(rule) => rule.rule_id}
          link={(rule) => ({ to: "/pricing/$ruleId", params: { ruleId: rule.rule_id }, search })}
          empty={<Empty filtered={filtered} action={set} />}
        />
      </Card>
      {opened === "set" && <SetRule onClose={close} />}
      {opened === "try" && <PreviewOrder onClose={close} />}
      <Outlet />
    </>
  );
}

function columnsOf(services: ServiceNames): readonly Column<Rule>[] {
  return [
    {
      header: "Applies to",
      cell: (rule) => (
        <span className="block min-w-0">
          <span className="block break-words">{whoseText(rule)}</span>
          <span className="block break-words font-normal text-soft text-xs">{whatText(rule, services)}</span>
        </span>
      ),
    },
    { header: "Fee", cell: (rule) => <RateCell text={rateText(rule.fee)} /> },
    { header: "Commission", cell: (rule) => <RateCell text={rateText(rule.commission)} /> },
    { header: "From", wideOnly: true, cell: (rule) => <Time value={rule.valid_from} dayOnly /> },
    { header: "State", wideOnly: true, cell: (rule) => <RuleState rule={rule} /> },
  ];
}

function RateCell({ text }: { readonly text: string }): ReactNode {
  return text === "" ? <span className="text-soft">None</span> : <span className="tabular-nums">{text}</span>;
}

const LOOKS: Readonly<Record<Rule["state"], string>> = { in_force: "active", scheduled: "waiting", ended: "disabled" };

export function RuleState({ rule }: { readonly rule: Rule }): ReactNode {
  const never = rule.ended_at !== null && rule.ended_at <= rule.valid_from;
  return <Status value={LOOKS[rule.state]} label={never ? "Discarded" : STATE_NAMES[rule.state]} />;
}

function Empty({ filtered, action }: { readonly filtered: boolean; readonly action: ReactNode }): ReactNode {
  return filtered ? (
    <EmptyState icon={Percent}>No rule matches these filters.</EmptyState>
  ) : (
    <EmptyState icon={Percent} action={action} code={CODE} codeTitle="Set a rule with the operator API">
      Fee and commission rules will appear here. Until you set one, orders have no fee and no commission.
    </EmptyState>
  );
}

const CODE = [
  `curl ${location.origin}/api/operator/v1/pricing \\`,
  `  -H "Authorization: Bearer opk_..." -H "Content-Type: application/json" \\`,
  `  -d '{"all_accounts":true,"service":"recharge","commission":{"percent":"2.50"}}'`,
].join("\n");
