import type { ReactNode } from "react";
import { readIndiaTime } from "./format.ts";

/** A moment in India time, with UTC on hover. `dayOnly` omits the time of day. */
export function Time({
  value,
  none = "never",
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
    <time dateTime={moment.iso} title={moment.utc} className="whitespace-nowrap tabular-nums">
      {moment.day}
      {!dayOnly && (
        <>
          , {moment.clock} <span className="text-soft text-xs">IST</span>
        </>
      )}
    </time>
  );
}
