import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { PageHeader, Stat } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSession } from "../session.ts";
import { Charts } from "./charts.tsx";
import { Checklist } from "./checklist.tsx";
import { homeQuery } from "./data.ts";
import { FigureGrid, Figures } from "./figures.tsx";

export function HomePage(): ReactNode {
  const session = useSession();
  const { data, error, refetch } = useQuery(homeQuery);
  return (
    <>
      <PageHeader title="Home">{session?.account.name ?? "Your account"} today, in India time.</PageHeader>
      {error && data === undefined ? (
        <ErrorCard error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="space-y-6">
          {data === undefined ? <FiguresSkeleton /> : <Figures home={data} />}
          {data !== undefined && session !== null && <Checklist steps={data.checklist} accountId={session.account.account_id} />}
          {/* Rendered with the figures' data, so that the checklist does not push it down later. */}
          {data !== undefined && <Charts />}
        </div>
      )}
    </>
  );
}

const LABELS = ["Balance", "Value today", "Success rate today", "Pending over 10 minutes", "Failing callbacks"];

function FiguresSkeleton(): ReactNode {
  return (
    <FigureGrid>
      {LABELS.map((label) => (
        <Stat key={label} label={label} note={<Skeleton className="h-3 max-w-24" />}>
          <Skeleton className="h-6 max-w-32" />
        </Stat>
      ))}
    </FigureGrid>
  );
}
