import { lazy, type ReactNode, Suspense, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { Button } from "../button.tsx";
import { Skeleton } from "../skeleton.tsx";

export type Series = { readonly key: string; readonly label: string; readonly tone: "good" | "bad" | "wait" | "accent" };
export type Point = Readonly<Record<string, string | number>>;

export type ChartProps = {
  /** What the chart shows. */
  readonly title: string;
  readonly kind: "bars" | "line";
  /** Key of the horizontal axis's value. */
  readonly x: string;
  readonly xLabel: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** Formats a value, for example moneyText. */
  readonly format?: (value: number | string) => string;
  /** Shorter format for the axis. */
  readonly tick?: (value: number) => string;
};

// recharts is large, so it is loaded with the first chart.
const Drawing = lazy(() => import("./chart-drawing.tsx"));

/** A chart with a table view. Keeps its height while it loads. */
export function Chart(props: ChartProps): ReactNode {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="space-y-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-semibold">{props.title}</span>
        <Button look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? uiText.viewAsChart : uiText.viewAsTable}
        </Button>
      </figcaption>
      <div className="h-64">
        {asTable ? (
          <ChartTable {...props} />
        ) : (
          <Suspense fallback={<Skeleton className="h-full" />}>
            <Drawing {...props} />
          </Suspense>
        )}
      </div>
    </figure>
  );
}

function ChartTable({ title, x, xLabel, series, points, format = String }: ChartProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section aria-label={title} tabIndex={0} className="h-full overflow-auto rounded-lg border border-line">
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="bg-sunken text-soft text-xs">
            <th scope="col" className="px-3 py-2 font-medium">
              {xLabel}
            </th>
            {series.map((one) => (
              <th key={one.key} scope="col" className="px-3 py-2 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={String(point[x])} className="border-line border-t">
              <th scope="row" className="px-3 py-1.5 font-normal">
                {point[x]}
              </th>
              {series.map((one) => (
                <td key={one.key} className="px-3 py-1.5 text-right">
                  {format(point[one.key] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
