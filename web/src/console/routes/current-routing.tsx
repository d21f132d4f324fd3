import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Select } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/page.tsx";
import { operatorsQuery } from "../operators/operators.ts";
import { RoutingPlanCard } from "../routing-plan/routing-plan-card.tsx";

const FIRST = "AT";

/** The current routing of a recharge operator. The choice is kept in the URL. */
export function CurrentRouting(): ReactNode {
  const { plan } = useSearch({ from: "/console/routes" });
  const navigate = useNavigate();
  const { data = [] } = useQuery(operatorsQuery);
  const chosen = plan ?? data[0]?.operator ?? FIRST;
  const choose = (operator: string) =>
    void navigate({ to: ".", search: ((before: object) => ({ ...before, plan: operator })) as never, replace: true, resetScroll: false });
  return (
    <Card title="Current routing" hint="The providers that an operator's recharges are sent to, in order.">
      <div className="space-y-4">
        <Select
          label="Operator"
          options={data.map(({ operator, name }) => ({ value: operator, label: `${name} (${operator})` }))}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        />
        <RoutingPlanCard service="recharge" operator={chosen} />
      </div>
    </Card>
  );
}
