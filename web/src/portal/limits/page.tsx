import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../../portal-api.ts";
import { countText, moneyText } from "../../ui/format.ts";
import { Money } from "../../ui/money.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { Bar, Gauge } from "./gauge.tsx";

type Limits = Schemas["Limits"];
type Budget = Limits["money"];

export function LimitsPage(): ReactNode {
  const limits = useQuery({
    queryKey: ["/limits"],
    queryFn: ({ signal }) => get("/limits", {}, signal),
    refetchInterval: 2_000,
  });
  return (
    <>
      <PageHeader title="Limits">
        Calls in the last minute against each limit. Calls over a limit are refused with 429 and code 123.
      </PageHeader>
      <QueryView
        query={limits}
        skeleton={
          <div className="grid gap-4 md:grid-cols-2">
            <SkeletonCard lines={9} />
            <SkeletonCard lines={9} />
          </div>
        }
      >
        {(data) => (
          <div className="space-y-4">
            <div className="grid gap-4 md:grid-cols-2">
              <BudgetCard title="Money calls" hint="Counts every POST request." budget={data.money} />
              <BudgetCard
                title="GET calls"
                hint="Counts every GET request. Never higher than the limit of money calls."
                budget={data.get}
              />
            </div>
            <DailyCard daily={data.daily} />
          </div>
        )}
      </QueryView>
    </>
  );
}

function BudgetCard({ title, hint, budget }: { readonly title: string; readonly hint: string; readonly budget: Budget }): ReactNode {
  return (
    <Card title={title} hint={hint}>
      <Gauge
        label={`${title} in the last minute`}
        share={budget.used / budget.limit}
        text={`${countText(budget.used)} of ${countText(budget.limit)}`}
      >
        <span className="text-2xl font-semibold tabular-nums">{countText(budget.used)}</span>
        <span className="text-soft tabular-nums">of {countText(budget.limit)} a minute</span>
      </Gauge>
    </Card>
  );
}

function DailyCard({ daily }: { readonly daily: Limits["daily"] }): ReactNode {
  if (daily.limit === null) {
    return (
      <Card title="Daily limit">
        <p>
          <Money value={daily.used} className="font-semibold" />{" "}
          <span className="text-soft">used today. The account has no daily limit.</span>
        </p>
      </Card>
    );
  }
  // Only the displayed share is a float. The amounts stay exact strings.
  const share = Number(daily.limit) === 0 ? 1 : Number(daily.used) / Number(daily.limit);
  return (
    <Card title="Daily limit" hint="Per calendar day in India time.">
      <Bar label="Daily limit used today" share={share} text={`${moneyText(daily.used)} of ${moneyText(daily.limit)}`}>
        <Money value={daily.used} className="font-semibold" /> <span className="text-soft">of</span> <Money value={daily.limit} />
      </Bar>
    </Card>
  );
}
