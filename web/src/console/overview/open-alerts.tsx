import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Card } from "../../ui/page.tsx";
import { type Alert, kindText } from "../alerts/alert.ts";
import { AlertBadge } from "../alerts/state.tsx";

/** The open alerts, each with a link to its details. */
export function OpenAlerts({ alerts }: { readonly alerts: readonly Alert[] }): ReactNode {
  const history = <LinkButton to="/alerts">All alerts</LinkButton>;
  if (alerts.length === 0) {
    return (
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex items-center gap-2.5">
            <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
            There are no open alerts.
          </p>
          {history}
        </div>
      </Card>
    );
  }
  return (
    <Card title={alerts.length === 1 ? "1 alert" : `${alerts.length} alerts`} actions={history} flush>
      <ul className="border-line border-t">
        {alerts.map((alert) => (
          <AlertItem key={alert.alert_id} alert={alert} />
        ))}
      </ul>
    </Card>
  );
}

function AlertItem({ alert }: { readonly alert: Alert }): ReactNode {
  return (
    <li className="relative flex flex-wrap items-start gap-x-4 gap-y-1 border-line border-b px-5 py-3 last:border-b-0 hover:bg-sunken has-[a:focus-visible]:bg-sunken">
      <CircleAlert aria-hidden className={classes("mt-0.5 size-5 shrink-0", alert.severity === "page" ? "text-bad" : "text-wait")} />
      <div className="min-w-0 grow basis-64">
        <Link to="/alerts/$alertId" params={{ alertId: alert.alert_id }} className="font-medium after:absolute after:inset-0">
          {kindText(alert.kind)}
        </Link>
        <p className="text-soft">{alert.message}</p>
        {alert.note !== null && <p className="text-soft text-xs">“{alert.note}”</p>}
      </div>
      <div className="flex flex-wrap items-center gap-3 text-soft text-xs">
        <AlertBadge state={alert.state} />
        <Time value={alert.opened_at} />
      </div>
    </li>
  );
}
