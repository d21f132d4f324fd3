import type { ReactNode } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { readIndiaTime } from "./format.ts";

/** A moment in India time, with UTC on hover. `dayOnly` omits the time of day. */
export function Time({
  value,
  none = uiText.never,
  dayOnly = false,
}: {
  readonly value: string | null | undefined;
  /** Shown when there is no value. */
  readonly none?: string;
  readonly dayOnly?: boolean;
}): ReactNode {
  if (value === null || value === undefined) return <span className="text-soft">{none}</span>;
  const moment = readIndiaTime(value);
  if (moment === null) return <span className="tabular-nums">{value}</span>;
  return (
    <time dateTime={moment.iso} title={moment.utc} className="tabular-nums">
      <span className="whitespace-nowrap">
        {moment.day}
        {!dayOnly && ","}
      </span>
      {!dayOnly && (
        // A narrow column breaks the line between the day and the clock, and nowhere else.
        <>
          {" "}
          <span className="whitespace-nowrap">
            {moment.clock} <span className="text-soft text-xs">IST</span>
          </span>
        </>
      )}
    </time>
  );
}
