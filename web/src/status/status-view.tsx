import type { ReactNode } from "react";
import { statusText } from "../messages/en/status.ts";
import { plural } from "../messages/fill.ts";
import { rich } from "../messages/rich.tsx";
import { serverText } from "../messages/server-text.ts";
import type { Schemas } from "../portal-api.ts";
import { classes } from "../ui/classes.ts";
import { Badge, type Tone } from "../ui/formats/badge.tsx";
import { Time } from "../ui/formats/time.tsx";
import { Card, Notice } from "../ui/page.tsx";

export type StatusPage = Schemas["StatusPage"];
export type StatusEvent = Schemas["StatusEvent"];
type Component = Schemas["StatusComponent"];

const OVERALL: Readonly<Record<StatusPage["overall"], { readonly text: string; readonly tone: "good" | "wait" | "bad" }>> = {
  up: { text: statusText.allSystemsAreWorking, tone: "good" },
  degraded: { text: statusText.someSystemsHaveProblems, tone: "wait" },
  down: { text: statusText.systemsAreDown, tone: "bad" },
};

const STATES: Readonly<Record<Component["state"], { readonly label: string; readonly tone: Tone }>> = {
  up: { label: statusText.working, tone: "good" },
  degraded: { label: statusText.degraded, tone: "wait" },
  down: { label: statusText.down, tone: "bad" },
  closed: { label: statusText.closedForTheNight, tone: "plain" },
  off: { label: statusText.switchedOff, tone: "plain" },
};

export const EVENT_STATES: Readonly<Record<StatusEvent["state"], { readonly label: string; readonly tone: Tone }>> = {
  investigating: { label: statusText.investigating, tone: "bad" },
  identified: { label: statusText.identified, tone: "bad" },
  monitoring: { label: statusText.monitoring, tone: "wait" },
  resolved: { label: statusText.resolved, tone: "good" },
  planned: { label: statusText.planned, tone: "accent" },
  in_progress: { label: statusText.inProgress, tone: "wait" },
  done: { label: statusText.done, tone: "good" },
  cancelled: { label: statusText.cancelled, tone: "plain" },
};

const ENDED: readonly StatusEvent["state"][] = ["resolved", "done", "cancelled"];

export function isEnded(event: StatusEvent): boolean {
  return ENDED.includes(event.state);
}

/** Services and operators with their state and history, and what staff wrote about incidents and maintenance. */
export function StatusView({
  status,
  actions,
}: {
  readonly status: StatusPage;
  readonly actions?: (event: StatusEvent) => ReactNode;
}): ReactNode {
  const { text, tone } = OVERALL[status.overall];
  const open = status.events.filter((event) => !isEnded(event));
  const past = status.events.filter(isEnded);
  return (
    <div className="space-y-6">
      <Notice tone={tone}>
        <p role="status">{rich(statusText.measuredAt, { b: <b>{text}</b>, time: <Time value={status.measured_at} /> })}</p>
      </Notice>
      {open.length > 0 && <Events title={statusText.nowAndPlanned} events={open} status={status} actions={actions} />}
      <Components title={statusText.services} components={status.components.filter((one) => one.group === "services")} />
      <Components title={statusText.operators} components={status.components.filter((one) => one.group === "operators")} />
      {past.length > 0 && <Events title={statusText.theLast90Days} events={past} status={status} actions={undefined} />}
    </div>
  );
}

function Components({ title, components }: { readonly title: string; readonly components: readonly Component[] }): ReactNode {
  return (
    <Card title={title}>
      <ul className="divide-y divide-line">
        {components.map((one) => (
          <li key={one.component} className="py-2.5">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span className="min-w-0 break-words font-medium">{serverText(one.name)}</span>
              <Badge tone={STATES[one.state].tone}>{STATES[one.state].label}</Badge>
            </div>
            <History days={one.days} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function History({ days }: { readonly days: Component["days"] }): ReactNode {
  if (days.length === 0) return null;
  const down = days.reduce((sum, day) => sum + day.down_share, 0) / days.length;
  const label = plural(statusText.availableInOfTheMeasurements, days.length, {
    percent: ((1 - down) * 100).toFixed(2),
    length: days.length,
  });
  return (
    <div role="img" aria-label={label} title={label} className="mt-1.5 flex h-3 max-w-full gap-px">
      {days.map((day) => (
        <span
          key={day.day}
          className={classes(
            "min-w-px max-w-2 grow rounded-xs",
            day.down_share > 0 ? "bg-bad" : day.degraded_share > 0 ? "bg-wait" : "bg-good",
          )}
        />
      ))}
    </div>
  );
}

type EventsProps = {
  readonly title: string;
  readonly events: readonly StatusEvent[];
  readonly status: StatusPage;
  readonly actions: ((event: StatusEvent) => ReactNode) | undefined;
};

function Events({ title, events, status, actions }: EventsProps): ReactNode {
  const nameOf = (component: string) => serverText(status.components.find((one) => one.component === component)?.name ?? component);
  return (
    <Card title={title}>
      <ul className="divide-y divide-line">
        {events.map((event) => (
          <li key={event.event_id} className="space-y-2 py-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h3 className="min-w-0 break-words font-semibold">{event.title}</h3>
              <span className="flex flex-wrap items-center gap-2">
                <Badge tone={EVENT_STATES[event.state].tone}>{EVENT_STATES[event.state].label}</Badge>
                {actions?.(event)}
              </span>
            </div>
            <p className="text-soft text-xs">
              {event.kind === "incident" ? statusText.incident : statusText.maintenance}, <Time value={event.starts_at} />
              {event.ends_at !== null && <> {rich(statusText.to, { time: <Time value={event.ends_at} /> })}</>}.{" "}
              {event.components.map(nameOf).join(", ")}.
            </p>
            <ul className="space-y-1.5 border-line border-l-2 pl-3">
              {event.updates.map((update) => (
                <li key={`${update.at} ${update.text}`}>
                  <span className="font-medium">{EVENT_STATES[update.state].label}</span>{" "}
                  <span className="text-soft text-xs">
                    <Time value={update.at} />
                  </span>
                  <span className="block whitespace-pre-line break-words">{update.text}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  );
}
