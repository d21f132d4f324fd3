import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { limitsText } from "../../messages/en/limits.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import type { Schemas } from "../../portal-api.ts";
import { countText, moneyText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
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
      <PageHeader title={limitsText.limits}>{limitsText.callsInTheLastMinute}</PageHeader>
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
              <BudgetCard title={limitsText.moneyCalls} hint={limitsText.countsEveryPostRequest} budget={data.money} />
              <BudgetCard title={limitsText.getCalls} hint={limitsText.countsEveryGetRequestNever} budget={data.get} />
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
    <Card title={title} hint={hint} className="flex flex-col justify-between">
      <Gauge
        label={fill(limitsText.inTheLastMinute, { title })}
        share={budget.used / budget.limit}
        text={fill(limitsText.usedOf, { used: countText(budget.used), limit: countText(budget.limit) })}
      >
        <span className="text-2xl font-semibold tabular-nums">{countText(budget.used)}</span>
        <span className="text-soft tabular-nums">{fill(limitsText.ofAMinute, { limit: countText(budget.limit) })}</span>
      </Gauge>
    </Card>
  );
}

function DailyCard({ daily }: { readonly daily: Limits["daily"] }): ReactNode {
  if (daily.limit === null) {
    return (
      <Card title={limitsText.dailyLimit}>
        <p className="text-soft">
          {rich(limitsText.usedTodayTheAccountHas, { used: <Money value={daily.used} className="font-semibold text-ink" /> })}
        </p>
      </Card>
    );
  }
  // Only the displayed share is a float. The amounts stay exact strings.
  const share = Number(daily.limit) === 0 ? 1 : Number(daily.used) / Number(daily.limit);
  return (
    <Card title={limitsText.dailyLimit} hint={limitsText.perCalendarDayInIndia}>
      <Bar
        label={limitsText.dailyLimitUsedToday}
        share={share}
        text={fill(limitsText.usedOf, { used: moneyText(daily.used), limit: moneyText(daily.limit) })}
      >
        <span className="text-soft">
          {rich(limitsText.usedOf, {
            used: <Money value={daily.used} className="font-semibold text-ink" />,
            limit: <Money value={daily.limit} className="text-ink" />,
          })}
        </span>
      </Bar>
    </Card>
  );
}
