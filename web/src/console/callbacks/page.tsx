import { Outlet, useSearch } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { type Callback, KIND_NAMES } from "../../callbacks/callback.ts";
import { DeliveryState, LastResponse } from "../../callbacks/delivery.tsx";
import { RecoverJob } from "../../callbacks/recover.tsx";
import { ATTEMPT_COLUMNS, CALLBACK_FILTERS, CallbackList, ORDER_COLUMN, STATUS_COLUMN } from "../../callbacks/table.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { useSelection } from "../../ui/lists/selection.ts";
import { PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { BulkCallbacks } from "../bulk/bulk-callbacks.tsx";
import { ReplayButton } from "../bulk/replay-dialog.tsx";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import { AccountName } from "../clients/account-name.tsx";
import { SUPPORT, useMay } from "../session.ts";
import { Receivers } from "./receivers.tsx";
import { latestRecoveries, RecoverButton } from "./recover.tsx";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: "Callback", placeholder: "Callback id, order id or reference" },
  ACCOUNT_FILTER,
  ...CALLBACK_FILTERS,
  { kind: "day", name: "since", label: "Since" },
];

// The kind and the response have no columns of their own: with them the table would be wider than the page.
const COLUMNS: readonly Column<Callback>[] = [
  {
    ...ORDER_COLUMN,
    cell: (row) => (
      <>
        {ORDER_COLUMN.cell(row)}
        <span className="block font-normal text-soft text-xs">{KIND_NAMES[row.kind]}</span>
      </>
    ),
  },
  { header: "Client", wideOnly: true, cell: (row) => <AccountName accountId={row.account_id} /> },
  STATUS_COLUMN,
  {
    header: "Delivery",
    cell: (row) => (
      <>
        <DeliveryState callback={row} />
        <span className="hidden text-xs sm:block">
          <LastResponse row={row} />
        </span>
      </>
    ),
  },
  ...ATTEMPT_COLUMNS,
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
