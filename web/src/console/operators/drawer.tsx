import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { operatorFacts } from "../../operators/operators.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { ItemDrawer } from "../../ui/lists/item-drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { RoutingPlanCard } from "../routing-plan/routing-plan-card.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { SwitchButton } from "../switching/switch-button.tsx";
import { type Operator, operatorsQuery } from "./operators.ts";

export function OperatorDrawer(): ReactNode {
  const { operator: code } = useParams({ from: "/console/operators/$operator" });
  const navigate = useNavigate();
  const isAllowed = useMay(OPERATIONS);
  return (
    <ItemDrawer
      query={useQuery(operatorsQuery)}
      find={({ operator }) => operator === code}
      noun="operator"
      code={code}
      onClose={() => void navigate({ to: "/operators", search: true, resetScroll: false })}
      footer={isAllowed ? (operator) => <SwitchOperator operator={operator} /> : undefined}
    >
      {(operator) => <About operator={operator} />}
    </ItemDrawer>
  );
}

function About({ operator }: { readonly operator: Operator }): ReactNode {
  return (
    <>
      <Facts facts={operatorFacts(operator)} />
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
  return (
    <SwitchButton
      switched={{ kind: "operator", name: operator.operator }}
      name={operator.name}
      enabled={operator.enabled}
      whenOff="New recharges of this operator are refused immediately for all clients. Pending orders continue."
      turn={async (change) => {
        await post("/operators/:operator", { operator: operator.operator, ...change });
        await queries.invalidateQueries({ queryKey: ["/operators"] });
      }}
      whenOn="New recharges of this operator are accepted again from all clients."
    />
  );
}
