import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { readIndiaTime } from "../../ui/format.ts";
import { useNow } from "../../ui/now.ts";
import { Time } from "../../ui/time.tsx";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time left until a complaint is due. */
export function Due({ by }: { readonly by: string }): ReactNode {
  const now = useNow(MINUTE / 2);
  const moment = readIndiaTime(by);
  if (moment === null) return <Time value={by} />;
  const left = Date.parse(moment.iso) - now;
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <Badge tone={toneOf(left)}>{left < 0 ? `Overdue by ${lengthText(-left)}` : `${lengthText(left)} left`}</Badge>
      <span className="text-soft text-xs">
        <Time value={by} />
      </span>
    </span>
  );
}

function toneOf(left: number): "bad" | "wait" | "plain" {
  if (left < 0) return "bad";
  return left < DAY ? "wait" : "plain";
}

function lengthText(milliseconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(milliseconds / DAY),
    Math.floor((milliseconds % DAY) / HOUR),
    Math.floor((milliseconds % HOUR) / MINUTE),
  ];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}
