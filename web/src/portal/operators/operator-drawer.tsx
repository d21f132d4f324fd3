import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { operatorsText } from "../../messages/en/operators.ts";
import { fill } from "../../messages/fill.ts";
import { operatorFacts } from "../../operators/operators.tsx";
import { ItemDrawer } from "../../ui/lists/item-drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { operatorsQuery } from "../catalogue.ts";

export function OperatorDrawer(): ReactNode {
  const { operator: code } = useParams({ from: "/shell/operators/$operator" });
  const navigate = useNavigate();
  return (
    <ItemDrawer
      query={useQuery(operatorsQuery)}
      find={({ operator }) => operator === code}
      noun={operatorsText.operatorNoun}
      code={code}
      onClose={() => void navigate({ to: "/operators", search: true, resetScroll: false })}
    >
      {(operator) => (
        <>
          {operator.status === "down" && <Notice>{fill(operatorsText.rechargesAreNotAvailableAt, { name: operator.name })}</Notice>}
          <Facts facts={operatorFacts(operator)} />
          <p>
            <Link to="/transactions" search={{ operator: operator.operator }} className="link">
              {fill(operatorsText.showYourTransactionsWith, { name: operator.name })}
            </Link>
          </p>
        </>
      )}
    </ItemDrawer>
  );
}
