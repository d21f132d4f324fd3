import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import { countText, durationText } from "../../ui/formats/format.ts";
import { Stat } from "../../ui/page.tsx";
import type { Overview } from "./data.ts";
import { PageLink } from "./page-link.tsx";

export const FIGURES = [
  "Orders per second",
  "Pending over 10 minutes",
  "To settle manually",
  "Undelivered callbacks",
  "Complaints due",
  "Approvals waiting",
];

/** The service stops counting at this number. */
const MAX_COUNT = 100_000;

export function Figures({ overview }: { readonly overview: Overview }): ReactNode {
  const { pending, callbacks, complaints } = overview;
  const minute = overview.minutes.at(-2);
  const old = pending.under_1h + pending.over_1h;
  return (
    <FigureGrid>
      <Stat
        label="Orders per second"
        note={minute && `${countText(minute.success + minute.failed + minute.pending)} in the previous minute`}
      >
        {rateText(overview.orders_per_second)}
      </Stat>
      <Stat
        label="Pending over 10 minutes"
        note={<Noted text={`${countText(pending.in_doubt)} of all pending orders are in doubt.`} {...waitingLink("old")} />}
      >
        <Figure count={old} tone="text-wait" />
      </Stat>
      <Stat label="To settle manually" note={<Noted text="Still in doubt after a day." {...waitingLink("person")} />}>
        <Figure count={pending.human_tasks} tone="text-bad" />
      </Stat>
      <Stat label="Undelivered callbacks" note={<Noted text={dueText(callbacks.oldest_due_seconds)} to="/callbacks" label="Show" />}>
        <Figure count={callbacks.waiting} tone={(callbacks.oldest_due_seconds ?? 0) >= 60 ? "text-wait" : ""} />
      </Stat>
      <Stat label="Complaints due" note={<Noted text={complaintText(complaints)} to="/complaints" label="Show" />}>
        <Figure count={complaints.overdue + complaints.due_today} tone={complaints.overdue > 0 ? "text-bad" : "text-wait"} />
      </Stat>
      <Stat label="Approvals waiting" note={<Noted text="Waiting for a second person." to="/approvals" label="Show" />}>
        <Figure count={overview.approvals.waiting} tone="text-wait" />
      </Stat>
    </FigureGrid>
  );
}

function waitingLink(waiting: string) {
  return { to: "/transactions", search: { waiting }, label: "Show" };
}

export function FigureGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">{children}</div>;
}

type NotedProps = {
  readonly text: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
};

function Noted({ text, ...link }: NotedProps): ReactNode {
  return (
    <>
      {text} <PageLink {...link} />
    </>
  );
}

function Figure({ count, tone }: { readonly count: number; readonly tone: string }): ReactNode {
  return <span className={classes(count > 0 && tone)}>{count >= MAX_COUNT ? `${countText(MAX_COUNT)} or more` : countText(count)}</span>;
}

function rateText(perSecond: number): string {
  return perSecond >= 10 ? countText(Math.round(perSecond)) : perSecond.toFixed(1);
}

function dueText(seconds: number | null): string {
  return seconds === null ? "None is overdue." : `The oldest is overdue by ${durationText(seconds)}.`;
}

function complaintText({ open, overdue, refund_blocked: blocked }: Overview["complaints"]): string {
  const parts = [`${countText(open)} open`, `${countText(overdue)} overdue`, ...(blocked > 0 ? [`${countText(blocked)} blocked`] : [])];
  return `${parts.join(", ")}.`;
}
