import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { kindText, rateText } from "../../operators/labels.ts";
import { ApiError, post } from "../../ui/api.ts";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { RoutingPlanCard } from "../routing-plan/routing-plan-card.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { SwitchButton } from "../switching/switch-button.tsx";
import { type Operator, operatorsQuery } from "./operators.ts";

const NONE = new ApiError(404, "not_found", "This operator was not found.");

export function OperatorDrawer(): ReactNode {
  const { operator: code } = useParams({ from: "/console/operators/$operator" });
  const navigate = useNavigate();
  const may = useMay(OPERATIONS);
  const { data, error } = useQuery(operatorsQuery);
  const operator = data?.find(({ operator: known }) => known === code);
  return (
    <Drawer
      title={operator?.name ?? code}
      onClose={() => void navigate({ to: "/operators", search: true })}
      {...(may && operator ? { footer: <SwitchOperator operator={operator} /> } : {})}
    >
      {data === undefined && error === null && <SkeletonCard lines={6} />}
      {data === undefined && error !== null && <ErrorCard error={error} />}
      {data !== undefined && operator === undefined && <ErrorCard error={NONE} />}
      {operator && <About operator={operator} />}
    </Drawer>
  );
}

function About({ operator }: { readonly operator: Operator }): ReactNode {
  return (
    <>
      <Facts
        facts={[
          ["Code", <Code key="code" text={operator.operator} />],
          ["Kind", kindText(operator.kind)],
          ["State", <Status key="status" value={operator.status} />],
          ["Success, last hour", rateText(operator.success_rate_1h)],
          ["Account", operator.account_label],
          ["Pattern", <Code key="pattern" text={operator.account_pattern} />],
          ["Minimum", <Money key="min" value={operator.min_amount} />],
          ["Maximum", <Money key="max" value={operator.max_amount} />],
        ]}
      />
      <section aria-labelledby="routing" className="space-y-3">
        <h3 id="routing" className="font-semibold">
          Current routing
        </h3>
        <RoutingPlanCard service="recharge" operator={operator.operator} />
      </section>
      <p className="flex flex-wrap gap-2">
        <LinkButton to="/routes" search={{ operator: operator.operator }}>
          Show routes
        </LinkButton>
        <LinkButton to="/transactions" search={{ operator: operator.operator }}>
          Show transactions
        </LinkButton>
        <LinkButton to="/audit" search={{ subject_kind: "operator", subject_id: operator.operator }}>
          Show changes
        </LinkButton>
      </p>
    </>
  );
}

function SwitchOperator({ operator }: { readonly operator: Operator }): ReactNode {
  const queries = useQueryClient();
  const path = `/operators/${operator.operator}`;
  return (
    <SwitchButton
      path={path}
      name={operator.name}
      enabled={operator.enabled}
      whenOff="New recharges of this operator are refused immediately for all clients. Pending orders continue."
      turn={(change) => post(path, change).then(() => queries.invalidateQueries({ queryKey: ["/operators"] }))}
      whenOn="New recharges of this operator are accepted again from all clients."
    />
  );
}
