import { ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { useMay } from "../session.ts";
import { type Allowlist, useChangeAllowlist } from "./allowlist.ts";

type Caller = Allowlist["refused"][number];
type RefusedProps = { readonly refused: readonly Caller[]; readonly entries: readonly string[] };

/** Who called with the token from elsewhere: a new server of the client's, or somebody who has the token. */
export function Refused({ refused, entries }: RefusedProps): ReactNode {
  const may = useMay("builders");
  const change = useChangeAllowlist();
  const [adding, setAdding] = useState<string | null>(null);
  const { error, attempt } = useAttempt();
  const add = (address: string) =>
    void attempt(async () => {
      setAdding(address);
      await change("add", address);
      toast(`${address} may call now.`);
    }).finally(() => setAdding(null));
  const addColumn: Column<Caller> = {
    header: "Change",
    right: true,
    cell: ({ address }) =>
      entries.includes(address) ? (
        <Badge tone="good">Added</Badge>
      ) : (
        <Button busy={adding === address} aria-label={`Add this address: ${address}`} onClick={() => add(address)}>
          Add this address
        </Button>
      ),
  };
  const columns: readonly Column<Caller>[] = [
    { header: "Address", cell: (row) => <code className="whitespace-nowrap font-mono text-[0.8125rem]">{row.address}</code> },
    { header: "Refused", right: true, cell: (row) => <span className="tabular-nums">{countText(row.count)}</span> },
    { header: "Last time", wideOnly: true, cell: (row) => <Time value={row.last_at} /> },
    ...(may ? [addColumn] : []),
  ];
  return (
    <Card title="Refused callers" hint="They had your token and came from an address that is not on the list." flush>
      {error !== null && (
        <div className="px-5 pb-4">
          <ErrorCard error={error} />
        </div>
      )}
      <DataTable
        label="Refused callers"
        columns={columns}
        rows={refused}
        rowKey={(row) => row.address}
        empty={
          <EmptyState
            icon={ShieldCheck}
            code={`curl ${location.origin}/api/corp/v1/balance -H "X-Api-Token: $API_TOKEN"`}
            codeTitle="Call from your server"
          >
            Callers that were refused for their address will stand here, to be added with one press.
          </EmptyState>
        }
      />
    </Card>
  );
}
