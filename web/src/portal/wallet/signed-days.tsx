import { useQuery } from "@tanstack/react-query";
import { FileSignature } from "lucide-react";
import { type ReactNode, useState } from "react";
import { walletText } from "../../messages/en/wallet.ts";
import type { Schemas } from "../../portal-api.ts";
import { DownloadButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CodeBlock } from "../../ui/formats/code-block.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { countText, dayText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Select } from "../../ui/forms/field.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import { apiUrl } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { get, useList } from "../api.ts";
import { useMay } from "../session.ts";

type SignedDay = Schemas["SignedDay"];
type Signing = Schemas["Signing"];

const SHOWN = { limit: "7" };
const HINT = walletText.eachDayOfYourLedger;

/** The signed days of the ledger, the public key, and the files to verify. */
export function SignedDays(): ReactNode {
  const list = useList("/signed-days", SHOWN);
  const signing = useQuery({ queryKey: ["/signing"], queryFn: ({ signal }) => get("/signing", {}, signal) });
  return (
    <Card flush title={walletText.signedDays} hint={HINT}>
      <ListTable
        label={walletText.signedDays}
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.day}
        empty={<EmptyState icon={FileSignature}>{walletText.signedDaysWillAppearHere}</EmptyState>}
      />
      <div className="border-line border-t px-5 py-4">
        <QueryView query={signing} skeleton={<Skeleton className="h-24" />}>
          {(data) => <KeyAndFiles signing={data} />}
        </QueryView>
      </div>
    </Card>
  );
}

const COLUMNS: readonly Column<SignedDay>[] = [
  { header: walletText.day, cell: (row) => <span className="whitespace-nowrap">{dayText(row.day)}</span> },
  { header: walletText.transfers, right: true, cell: (row) => countText(row.last_entry - row.first_entry + 1) },
  { header: walletText.closingBalance, right: true, wideOnly: true, cell: (row) => <Money value={row.closing_balance} /> },
  {
    header: walletText.merkleRoot,
    cell: (row) => (
      <span className="block max-w-28 sm:max-w-72">
        <Code text={row.root} />
      </span>
    ),
  },
];

function KeyAndFiles({ signing: { key, months } }: { readonly signing: Signing }): ReactNode {
  const isAllowed = useMay("workers");
  if (key === null) return <p className="text-soft">{walletText.thePublicKeyWillAppear}</p>;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="min-w-0 space-y-3">
        <p>
          <span className="block text-soft">{walletText.keyId}</span>
          <Code text={key.key_id} />
        </p>
        <CodeBlock title={walletText.publicKeyEd25519} code={key.public_key.trim()} />
      </div>
      {isAllowed && months.length > 0 && <MonthDownload months={months} />}
    </div>
  );
}

function MonthDownload({ months }: { readonly months: readonly string[] }): ReactNode {
  const [chosen, choose] = useState(months[0] ?? "");
  return (
    <div className="min-w-0 space-y-3">
      <Select
        label={walletText.signedStatementOf}
        options={months.map((month) => ({ value: month, label: month }))}
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      />
      <DownloadButton href={apiUrl(`/signed-statements/${chosen}.jsonl`)}>{walletText.downloadSignedStatement}</DownloadButton>
      <CodeBlock title={walletText.verifyIt} code={`node verify-statement.mjs signed-statement-….jsonl --key KEY_ID`} />
    </div>
  );
}
