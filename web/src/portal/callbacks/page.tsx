import { Outlet, useSearch } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import type { Callback } from "../../callbacks/callback.ts";
import { RecoverJob } from "../../callbacks/recover.tsx";
import { CALLBACK_FILTERS, CallbackList, DELIVERY_COLUMNS, ORDER_COLUMN } from "../../callbacks/table.tsx";
import { callbacksText } from "../../messages/en/callbacks.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Time } from "../../ui/formats/time.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { useMay } from "../session.ts";
import { latestRecoveries, RecoverButton } from "./recover.tsx";
import { ReplayButton } from "./replay.tsx";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: callbacksText.search, placeholder: callbacksText.callbackOrderOrReference },
  ...CALLBACK_FILTERS,
  { kind: "day", name: "from", label: callbacksText.from },
  { kind: "day", name: "to", label: callbacksText.to },
];

const COLUMNS: readonly Column<Callback>[] = [
  ORDER_COLUMN,
  ...DELIVERY_COLUMNS,
  { header: callbacksText.created, wideOnly: true, cell: (row) => <Time value={row.created_at} /> },
];

export function CallbacksPage(): ReactNode {
  const { job, ...query } = useSearch({ from: "/shell/callbacks" });
  const isAllowed = useMay("workers");
  const list = useList("/callbacks", query, 5_000);
  const filtered = Object.keys(query).length > 0;
  const wantedOrder = list.rows?.find((row) => row.order_id === query.search)?.order_id;
  return (
    <>
      <PageHeader title={callbacksText.callbacks} {...(isAllowed ? { actions: <CallbackActions orderId={wantedOrder} /> } : {})}>
        {callbacksText.callbacksSentToYourServers}
      </PageHeader>
      <RecoverJob jobId={job} latest={latestRecoveries} />
      <CallbackList list={list} columns={COLUMNS} filters={FILTERS} filtered={filtered} empty={<NoCallbacks />} />
      <Outlet />
    </>
  );
}

function CallbackActions({ orderId }: { readonly orderId: string | undefined }): ReactNode {
  return (
    <>
      <ReplayButton key={orderId} orderId={orderId} />
      <RecoverButton />
    </>
  );
}

function NoCallbacks(): ReactNode {
  return (
    <EmptyState
      icon={Webhook}
      action={<LinkButton to="/api-access">{callbacksText.setTheCallbackUrl}</LinkButton>}
      codeTitle={callbacksText.aRechargeThatStartsAs}
      code={`curl ${location.origin}/api/corp/v1/recharge -H "X-Api-Token: $API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"urid":"pending-1","operator":"AT","account":"9876543200","amount":"10"}'`}
    >
      {callbacksText.callbacksWillAppearHereWhen}
    </EmptyState>
  );
}
