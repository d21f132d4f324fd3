import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { kindText, rateText } from "../../operators/labels.ts";
import { ApiError } from "../../ui/api.ts";
import { Status } from "../../ui/badge.tsx";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Operator, operatorsQuery } from "../catalogue.ts";

const NONE = new ApiError(404, "not_found", "This operator was not found.");

export function OperatorDrawer(): ReactNode {
  const { operator: code } = useParams({ from: "/shell/operators/$operator" });
  const navigate = useNavigate();
  const { data, error } = useQuery(operatorsQuery);
  const operator = data?.find(({ operator: known }) => known === code);
  return (
    <Drawer title={operator?.name ?? code} onClose={() => void navigate({ to: "/operators", search: true, resetScroll: false })}>
      {!data && !error && <SkeletonCard lines={6} />}
      {error && data === undefined && <ErrorCard error={error} />}
      {data && !operator && <ErrorCard error={NONE} />}
      {operator && (
        <>
          {operator.status === "down" && <Notice>{operator.name} recharges are not available at the moment.</Notice>}
          <Facts facts={factsOf(operator)} />
          <p>
            <Link to="/transactions" search={{ operator: operator.operator }} className="link">
              Show your transactions with {operator.name}
            </Link>
          </p>
        </>
      )}
    </Drawer>
  );
}

function factsOf(operator: Operator): readonly (readonly [string, ReactNode])[] {
  return [
    ["Code", <Code key="code" text={operator.operator} />],
    ["Kind", kindText(operator.kind)],
    ["Health", <Status key="status" value={operator.status} />],
    ["Success, last hour", rateText(operator.success_rate_1h)],
    ["Account", operator.account_label],
    ["Example", <Code key="example" text={operator.account_example} />],
    ["Pattern", <Code key="pattern" text={operator.account_pattern} />],
    ["Minimum", <Money key="min" value={operator.min_amount} />],
    ["Maximum", <Money key="max" value={operator.max_amount} />],
    [
      "Amounts",
      operator.denominations.length === 0 ? (
        "Any amount between minimum and maximum"
      ) : (
        <span key="amounts" className="flex flex-wrap gap-x-4">
          {operator.denominations.map((amount) => (
            <Money key={amount} value={amount} />
          ))}
        </span>
      ),
    ],
  ];
}
