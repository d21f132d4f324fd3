import { ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { allowlistText } from "../../messages/en/allowlist.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { useMay } from "../session.ts";
import { type Allowlist, useChangeAllowlist } from "./allowlist.ts";

type Caller = Allowlist["refused"][number];
type RefusedProps = { readonly refused: readonly Caller[]; readonly entries: readonly string[] };

/** Callers with a valid token from an unlisted address: a new server of the client, or a stolen token. */
export function Refused({ refused, entries }: RefusedProps): ReactNode {
  const isAllowed = useMay("builders");
  const change = useChangeAllowlist();
  const [adding, setAdding] = useState<string | null>(null);
  const { error, attempt } = useAttempt();
  const add = (address: string) =>
    void attempt(async () => {
      setAdding(address);
      await change("add", address);
      toast(fill(allowlistText.wasAddedCallsFromIt, { address }));
    }).finally(() => setAdding(null));
  const addColumn: Column<Caller> = {
    header: allowlistText.change,
    right: true,
    cell: ({ address }) =>
      entries.includes(address) ? (
        <Badge tone="good">{allowlistText.added}</Badge>
      ) : (
        <Button busy={adding === address} aria-label={fill(allowlistText.addNamedAddress, { address })} onClick={() => add(address)}>
          {allowlistText.addThisAddress}
        </Button>
      ),
  };
  const columns: readonly Column<Caller>[] = [
    { header: allowlistText.address, cell: (row) => <code className="whitespace-nowrap font-mono text-[0.8125rem]">{row.address}</code> },
    { header: allowlistText.refused, right: true, cell: (row) => <span className="tabular-nums">{countText(row.count)}</span> },
    { header: allowlistText.lastCall, wideOnly: true, cell: (row) => <Time value={row.last_at} /> },
    ...(isAllowed ? [addColumn] : []),
  ];
  return (
    <Card title={allowlistText.refusedCallers} hint={allowlistText.callsThatUsedYourToken} flush>
      {error !== null && (
        <div className="px-5 pb-4">
          <ErrorCard error={error} />
        </div>
      )}
      <DataTable
        label={allowlistText.refusedCallers}
        columns={columns}
        rows={refused}
        rowKey={(row) => row.address}
        empty={
          <EmptyState
            icon={ShieldCheck}
            code={`curl ${location.origin}/api/corp/v1/balance -H "X-Api-Token: $API_TOKEN"`}
            codeTitle={allowlistText.callFromYourServer}
          >
            {allowlistText.callersRefusedBecauseOfTheir}
          </EmptyState>
        }
      />
    </Card>
  );
}
