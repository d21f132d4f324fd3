import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { homeText } from "../../messages/en/home.ts";
import { fill, listText } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
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
      <PageHeader title={homeText.home}>
        {fill(homeText.todayInIndiaTime, { name: session?.account.name ?? homeText.yourAccount })}
      </PageHeader>
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
  const names = listText(reviews.map((review) => (review === "kyc" ? homeText.yourKycDocuments : homeText.theServiceAgreement)));
  return (
    <Notice>
      <p role="status">{rich(homeText.transactionsStartWhenThePlatform, { names, b: (text) => <b>{text}</b> })}</p>
    </Notice>
  );
}

const LABELS = [homeText.balance, homeText.valueToday, homeText.successRateToday, homeText.pendingOver10Minutes, homeText.failingCallbacks];

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
