import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../../operator-api.ts";
import { Badge } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";

type SigningState = Schemas["SigningState"];

const REFRESH_MILLISECONDS = 60_000;

/** The last signing run of the ledger. */
export function SigningCard(): ReactNode {
  const query = useQuery({
    queryKey: ["/signing"],
    queryFn: ({ signal }) => get("/signing", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  return (
    <Card title="Ledger signing" hint="Every India day of every account is signed ten minutes after its end.">
      <QueryView query={query} skeleton={<Skeleton className="h-32" />}>
        {(state) => <LastRun state={state} />}
      </QueryView>
    </Card>
  );
}

function LastRun({ state: { last_run: run, behind, due_day: dueDay } }: { readonly state: SigningState }): ReactNode {
  const badge = behind ? <Badge tone="bad">Behind: {dueDay} is due</Badge> : <Badge tone="good">Up to date</Badge>;
  if (run === null)
    return (
      <div className="space-y-3">
        <p>{badge}</p>
        <p className="text-soft">The first run will appear here ten minutes after midnight in India.</p>
      </div>
    );
  return (
    <Facts
      facts={[
        ["State", badge],
        ["Last day", run.day],
        ["Run", countText(run.run)],
        ["Signed at", <Time key="at" value={run.signed_at} />],
        ["Accounts", countText(run.accounts)],
        ["Transfers", countText(run.lines)],
        ["Hash", <Code key="hash" text={run.hash} />],
        ["Key id", <Code key="key" text={run.key_id} />],
      ]}
    />
  );
}
