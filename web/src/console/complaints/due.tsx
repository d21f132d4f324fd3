import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { longDurationText, readIndiaTime } from "../../ui/formats/format.ts";
import { useNow } from "../../ui/formats/now.ts";
import { Time } from "../../ui/formats/time.tsx";

const REFRESH_MILLISECONDS = 30_000;
const DAY_MILLISECONDS = 24 * 3_600_000;

/** The time left until a complaint is due. */
export function Due({ by }: { readonly by: string }): ReactNode {
  const now = useNow(REFRESH_MILLISECONDS);
  const moment = readIndiaTime(by);
  if (moment === null) return <Time value={by} />;
  const left = Date.parse(moment.iso) - now;
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <Badge tone={toneOf(left)}>{left < 0 ? `Overdue by ${longDurationText(-left)}` : `${longDurationText(left)} left`}</Badge>
      <span className="text-soft text-xs">
        <Time value={by} />
      </span>
    </span>
  );
}

function toneOf(left: number): "bad" | "wait" | "plain" {
  if (left < 0) return "bad";
  return left < DAY_MILLISECONDS ? "wait" : "plain";
}
