import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Select } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { operatorsQuery } from "../operators/operators.ts";
import { WayCard } from "../ways/way-steps.tsx";

const FIRST = "AT";

/** A recharge operator's way, chosen in the address. */
export function WhereTo(): ReactNode {
  const { way } = useSearch({ from: "/console/routes" });
  const navigate = useNavigate();
  const { data = [] } = useQuery(operatorsQuery);
  const chosen = way ?? data[0]?.operator ?? FIRST;
  const choose = (operator: string) =>
    void navigate({ to: ".", search: ((before: object) => ({ ...before, way: operator })) as never, replace: true, resetScroll: false });
  return (
    <Card title="Where do orders go now?" hint="Recharges of one operator, provider by provider.">
      <div className="space-y-4">
        <Select
          label="Operator"
          options={data.map((one) => ({ value: one.operator, label: `${one.name} (${one.operator})` }))}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        />
        <WayCard service="recharge" operator={chosen} />
      </div>
    </Card>
  );
}
