import { Outlet, useSearch } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import type { Callback } from "../../callbacks/callback.ts";
import { RecoverJob } from "../../callbacks/recover.tsx";
import { CALLBACK_FILTERS, CallbackList, DELIVERY_COLUMNS, ORDER_COLUMN } from "../../callbacks/table.tsx";
import { LinkButton } from "../../ui/button.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { useSelection } from "../../ui/selection.ts";
import { useList } from "../api.ts";
import { BulkCallbacks } from "../bulk/bulk-callbacks.tsx";
import { ReplayButton } from "../bulk/replay-dialog.tsx";
import { SUPPORT, useMay } from "../session.ts";
import { Receivers } from "./receivers.tsx";
import { latestRecoveries, RecoverButton } from "./recover.tsx";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: "Callback", placeholder: "Callback id, order id or reference" },
  { kind: "text", name: "account_id", label: "Account id", placeholder: "A…" },
  ...CALLBACK_FILTERS,
  { kind: "day", name: "since", label: "Since" },
];

const COLUMNS: readonly Column<Callback>[] = [
  ORDER_COLUMN,
  { header: "Account", wideOnly: true, cell: (row) => <span className="font-mono text-[0.8125rem]">{row.account_id}</span> },
  ...DELIVERY_COLUMNS,
];

/** All callbacks, and the receivers that do not accept theirs. */
export function CallbacksPage(): ReactNode {
  const { job, receivers, ...query } = useSearch({ from: "/console/callbacks" });
  const isAllowed = useMay(SUPPORT);
  const list = useList("/callbacks", query, 5_000);
  const selection = useSelection();
  const filtered = Object.keys(query).length > 0;
  return (
    <>
      <PageHeader title="Callbacks" {...(isAllowed ? { actions: <CallbackActions accountId={query.account_id} /> } : {})}>
        Callbacks sent to clients' servers and their responses. Delivery is retried as long as a URL is set.
      </PageHeader>
      <RecoverJob jobId={job} latest={latestRecoveries} />
      <div className="space-y-8">
        <Receivers state={receivers} accountId={query.account_id} />
        <section aria-labelledby="deliveries">
          <h2 id="deliveries" className="mb-3 text-base font-semibold">
            Deliveries
          </h2>
          <CallbackList
            list={list}
            columns={COLUMNS}
            filters={FILTERS}
            filtered={filtered}
            selection={isAllowed ? selection : undefined}
            bulk={<BulkCallbacks selection={selection} />}
            empty={<NoCallbacks />}
          />
        </section>
      </div>
      <Outlet />
    </>
  );
}

function CallbackActions({ accountId }: { readonly accountId: string | undefined }): ReactNode {
  return (
    <>
      <ReplayButton accountId={accountId} />
      <RecoverButton accountId={accountId} />
    </>
  );
}

function NoCallbacks(): ReactNode {
  return (
    <EmptyState
      icon={Webhook}
      action={<LinkButton to="/accounts">Set a client's callback URL</LinkButton>}
      codeTitle="Set it with the operator API"
      code={`curl ${location.origin}/api/operator/v1/accounts/A… -H "Authorization: Bearer opk_..." \\
  -H 'Content-Type: application/json' -d '{"callback_url":"https://client.example/in"}'`}
    >
      Callbacks will appear here when an order of a client with a callback URL becomes final.
    </EmptyState>
  );
}
