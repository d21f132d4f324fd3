import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { QueueNav } from "../../ui/lists/queue-nav.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { useActorNames } from "../audit/entry.ts";
import { PageLink } from "../overview/page-link.tsx";
import { WorkPanel } from "../work/work-panel.tsx";
import { Acknowledge } from "./acknowledge.tsx";
import { type Alert, kindText } from "./alert.ts";
import { useAlertQueue } from "./queue.ts";
import { AlertBadge } from "./state.tsx";

export function AlertDrawer(): ReactNode {
  const { alertId } = useParams({ from: "/console/alerts/$alertId" });
  const search = useSearch({ from: "/console/alerts" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/alerts", alertId],
    queryFn: ({ signal }) => get("/alerts/:alert_id", { alert_id: alertId }, signal),
    refetchInterval: ({ state }) => (state.data?.state === "closed" ? false : 5_000),
  });
  return (
    <Drawer
      title={query.data ? kindText(query.data.kind) : "Alert"}
      onClose={() => void navigate({ to: "/alerts", search })}
      nav={
        <QueueNav
          list={useAlertQueue()}
          keyOf={(alert) => alert.alert_id}
          current={alertId}
          open={(id) => void navigate({ to: "/alerts/$alertId", params: { alertId: id }, search })}
        />
      }
    >
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(alert) => <AlertFacts alert={alert} />}
      </QueryView>
    </Drawer>
  );
}

/** The page to open next, by alert kind. */
const LINKS: Readonly<Record<string, { readonly to: string; readonly search?: Readonly<Record<string, string>>; readonly label: string }>> =
  {
    ledger_violation: { to: "/ledger", label: "Open ledger" },
    provider_success: { to: "/providers", label: "Open providers" },
    breaker_open: { to: "/providers", label: "Open providers" },
    pending_orders: { to: "/transactions", search: { status: "pending" }, label: "Show pending transactions" },
    human_tasks: { to: "/transactions", search: { status: "pending" }, label: "Show pending transactions" },
    callbacks_late: { to: "/callbacks", label: "Open callbacks" },
    job_failing: { to: "/system", label: "Open system" },
    failed_jobs: { to: "/jobs", search: { state: "failed" }, label: "Show failed jobs" },
    clock_differs: { to: "/system", label: "Open system" },
    provider_lists: { to: "/providers", label: "Open providers" },
    break_glass_used: { to: "/audit", search: { action: "staff.break_glass_used" }, label: "Show in the audit log" },
    master_key_missing: { to: "/system", label: "Open system" },
  };

function AlertFacts({ alert }: { readonly alert: Alert }): ReactNode {
  const nameOf = useActorNames();
  const link = LINKS[alert.kind];
  return (
    <>
      <Notice tone={alert.state === "closed" ? "good" : alert.severity === "page" ? "bad" : "wait"}>{alert.message}</Notice>
      <Facts
        facts={[
          ["State", <AlertBadge key="state" state={alert.state} />],
          ["Urgency", alert.severity === "page" ? "Immediately" : "Today"],
          ...(alert.subject === "" ? [] : [["About", alert.subject] as const]),
          ["Opened", <Time key="opened" value={alert.opened_at} />],
          ["Last seen", <Time key="seen" value={alert.seen_at} />],
          ["Closed", <Time key="closed" value={alert.closed_at} none="Not yet" />],
          ["Runbook", <Code key="runbook" text={alert.runbook} />],
        ]}
      />
      {alert.acknowledged_by !== null && (
        <Facts
          facts={[
            ["Acknowledged", <Time key="at" value={alert.acknowledged_at} />],
            ["By", nameOf(alert.acknowledged_by)],
            ["Note", alert.note],
          ]}
        />
      )}
      <Acknowledge alert={alert} />
      <WorkPanel subject={{ kind: "alert", id: alert.alert_id }} />
      <div className="flex flex-wrap gap-2">
        {link !== undefined && <PageLink {...link} look="button" />}
        <LinkButton to="/audit" search={{ subject_kind: "alert", subject_id: alert.alert_id }}>
          Show audit log
        </LinkButton>
      </div>
    </>
  );
}
