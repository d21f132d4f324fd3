import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Notice, PageHeader, Stat } from "../../ui/page.tsx";
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
          {data !== undefined && data.waiting_for.length > 0 && <WaitingFor reviews={data.waiting_for} />}
          {data === undefined ? <FiguresSkeleton /> : <Figures home={data} />}
          {data !== undefined && session !== null && <Checklist steps={data.checklist} accountId={session.account.account_id} />}
          {/* Rendered with the figures' data, so that the checklist does not push it down later. */}
          {data !== undefined && <Charts />}
        </div>
      )}
    </>
  );
}

type WaitingForProps = { readonly reviews: readonly ("kyc" | "agreement")[] };

/** Says why a new client cannot transact yet, and what it can do meanwhile. */
function WaitingFor({ reviews }: WaitingForProps): ReactNode {
  const names = reviews.map((review) => (review === "kyc" ? "your KYC documents" : "the service agreement")).join(" and ");
  return (
    <Notice>
      <p role="status">
        <b>Transactions start when the platform has approved {names}.</b> You can already create credentials, set up callbacks and use the
        sandbox.
      </p>
    </Notice>
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
