import {
  Ban,
  Bell,
  CircleCheck,
  CircleX,
  Hand,
  Hourglass,
  type LucideIcon,
  MessageSquareWarning,
  Play,
  Reply,
  Send,
  Undo2,
  Wallet,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { serverText } from "../messages/server-text.ts";
import type { Schemas } from "../portal-api.ts";
import { classes } from "../ui/classes.ts";
import { Money } from "../ui/formats/money.tsx";
import { Time } from "../ui/formats/time.tsx";

export type TimelineEvent = Schemas["TimelineEvent"];

type Look = { readonly icon: LucideIcon; readonly tone: string };

const LOOKS: Readonly<Record<string, Look>> = {
  request: { icon: Play, tone: "bg-accent-tint text-accent" },
  attempt: { icon: Send, tone: "bg-sunken text-soft" },
  answer: { icon: Reply, tone: "bg-sunken text-soft" },
  pending: { icon: Hourglass, tone: "bg-wait-tint text-wait" },
  ledger: { icon: Wallet, tone: "bg-sunken text-soft" },
  reversal: { icon: Undo2, tone: "bg-back-tint text-back" },
  manual: { icon: Hand, tone: "bg-accent-tint text-accent" },
  complaint: { icon: MessageSquareWarning, tone: "bg-wait-tint text-wait" },
  callback: { icon: Bell, tone: "bg-sunken text-soft" },
};
const GOOD: Look = { icon: CircleCheck, tone: "bg-good-tint text-good" };
const BAD: Look = { icon: CircleX, tone: "bg-bad-tint text-bad" };

function lookOf({ kind, title }: TimelineEvent): Look {
  if (kind === "state") return title === "SUCCESS" ? GOOD : BAD;
  if (kind === "delivery") return { icon: Webhook, tone: title.endsWith("failed") ? BAD.tone : GOOD.tone };
  return LOOKS[kind] ?? { icon: Ban, tone: "bg-sunken text-soft" };
}

/** The events of an order, oldest first. */
export function Timeline({ events }: { readonly events: readonly TimelineEvent[] }): ReactNode {
  return (
    <ol>
      {events.map((event, index) => {
        const { icon: Icon, tone } = lookOf(event);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are never reordered.
          <li key={index} className="relative flex gap-3 pb-4 last:pb-0">
            {index < events.length - 1 && <span aria-hidden className="absolute top-7 bottom-0 left-3.5 w-px bg-line" />}
            <span className={classes("flex size-7 shrink-0 items-center justify-center rounded-full", tone)}>
              <Icon aria-hidden className="size-4" />
            </span>
            <div className="min-w-0 grow pt-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <p className={classes("min-w-0 break-words", (event.kind === "state" || event.kind === "reversal") && "font-semibold")}>
                  {serverText(event.title)}
                </p>
                <span className="text-soft text-xs">
                  <Time value={event.at} />
                </span>
              </div>
              {event.detail !== "" && (
                <p className="break-words text-soft text-xs">
                  <Detail event={event} />
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const AMOUNT = /(\d{1,15}\.\d{4})/;

/** Formats amounts in lines that the service wrote. Text that people wrote is shown unchanged. */
function Detail({ event: { kind, detail } }: { readonly event: TimelineEvent }): ReactNode {
  const text = serverText(detail);
  if (kind !== "request" && kind !== "ledger") return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no identity other than their position.
  return text.split(AMOUNT).map((piece, index) => (AMOUNT.test(piece) ? <Money key={index} value={piece} /> : piece));
}
