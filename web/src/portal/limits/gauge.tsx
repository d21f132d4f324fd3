import type { ReactNode } from "react";
import { limitsText } from "../../messages/en/limits.ts";

type Level = { readonly label: string; readonly colour: string };

/** The level as a label and a colour. */
function levelOf(share: number): Level {
  if (share >= 1) return { label: limitsText.usedUp, colour: "text-bad" };
  return share >= 0.8 ? { label: limitsText.nearlyUsedUp, colour: "text-wait" } : { label: limitsText.available, colour: "text-good" };
}

type MeasureProps = { readonly label: string; readonly share: number; readonly text: string };

function percentOf(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
}

/** The measure for screen readers; the drawing beside it is decorative. */
function Measure({ label, share, text }: MeasureProps): ReactNode {
  return (
    <meter
      className="sr-only"
      aria-label={label}
      aria-valuetext={`${text}: ${levelOf(share).label}`}
      min={0}
      max={100}
      value={percentOf(share)}
    />
  );
}

const ARC = "M 10 60 A 50 50 0 0 1 110 60";

/** A half-circle gauge that fills from the left. */
export function Gauge({ children, ...measure }: MeasureProps & { readonly children: ReactNode }): ReactNode {
  const percent = percentOf(measure.share);
  const level = levelOf(measure.share);
  return (
    <div className="relative mx-auto w-full max-w-72">
      <Measure {...measure} />
      <svg viewBox="0 0 120 66" aria-hidden="true" fill="none" strokeWidth="9" strokeLinecap="round" className="w-full">
        <path d={ARC} className="stroke-line" />
        {percent > 0 && <path d={ARC} pathLength="100" strokeDasharray={`${percent} 200`} stroke="currentColor" className={level.colour} />}
      </svg>
      <div className="absolute inset-x-0 bottom-7 flex flex-col items-center">{children}</div>
      <p className={`mt-1 text-center font-medium ${level.colour}`}>{level.label}</p>
    </div>
  );
}

/** A bar gauge. */
export function Bar({ children, ...measure }: MeasureProps & { readonly children: ReactNode }): ReactNode {
  const level = levelOf(measure.share);
  return (
    <div className="space-y-2">
      <Measure {...measure} />
      <svg aria-hidden="true" className={`h-3 w-full overflow-hidden rounded-full bg-sunken ${level.colour}`}>
        <rect width={`${percentOf(measure.share)}%`} height="100%" fill="currentColor" />
      </svg>
      <p className="flex flex-wrap justify-between gap-2">
        <span>{children}</span>
        <span className={`font-medium ${level.colour}`}>{level.label}</span>
      </p>
    </div>
  );
}
