import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Notice, PageHeader, Stat } from "../../ui/page.tsx";
import { DATA_MODE } from "../../ui/requests/data-mode.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Charts } from "./charts.tsx";
import { type Overview, overviewQuery } from "./data.ts";
import { FIGURES, FigureGrid, Figures } from "./figures.tsx";
import { FloatCard } from "./float-card.tsx";
import { type Live, useLiveOverview } from "./live.ts";
import { OpenAlerts } from "./open-alerts.tsx";
import { OperatorsCard, ProvidersCard } from "./rates.tsx";

/** The live state of the installation. */
export function OverviewPage(): ReactNode {
  const live = useLiveOverview();
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <>
      <PageHeader title="Overview" actions={<LiveBadge live={live} />}>
        {DATA_MODE === "live"
          ? "The current state of the installation over all accounts and processes. Sandbox accounts are not included."
          : "The current state of all sandbox accounts. Their orders go to the simulator."}
      </PageHeader>
      <div className="space-y-6">
        {live === "lost" && data !== undefined && (
          <Notice>
            <span role="status">
              The connection was lost. These figures are from <Time value={data.at} />. They update automatically when the connection is
              back.
            </span>
          </Notice>
        )}
        {data === undefined && (error ? <ErrorCard error={error} onRetry={() => void refetch()} /> : <FiguresSkeleton />)}
        {data !== undefined && <OverviewCards overview={data} />}
      </div>
    </>
  );
}

function OverviewCards({ overview }: { readonly overview: Overview }): ReactNode {
  return (
    <>
      <OpenAlerts alerts={overview.alerts} />
      <Figures overview={overview} />
      {!overview.complete && (
        <p className="text-soft" role="status">
          Some minutes of the last hour are still being counted.
        </p>
      )}
      <Charts overview={overview} />
      <div className="grid gap-4 xl:grid-cols-2">
        <ProvidersCard providers={overview.providers} />
        <OperatorsCard operators={overview.operators} />
      </div>
      <FloatCard float={overview.float} />
    </>
  );
}

const LIVE: Readonly<Record<Live, { readonly tone: "good" | "wait" | "plain"; readonly label: string }>> = {
  opening: { tone: "plain", label: "Connecting" },
  live: { tone: "good", label: "Up to date" },
  lost: { tone: "wait", label: "Connection lost" },
};

function LiveBadge({ live }: { readonly live: Live }): ReactNode {
  const { tone, label } = LIVE[live];
  return (
    <Badge tone={tone}>
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {label}
    </Badge>
  );
}

function FiguresSkeleton(): ReactNode {
  return (
    <FigureGrid>
      {FIGURES.map((label) => (
        <Stat key={label} label={label} note={<Skeleton className="h-3 max-w-24" />}>
          <Skeleton className="h-6 max-w-32" />
        </Stat>
      ))}
    </FigureGrid>
  );
}
