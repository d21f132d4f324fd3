import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { analyticsText } from "../messages/en/analytics.ts";
import { uiText } from "../messages/en/ui.ts";
import { fill } from "../messages/fill.ts";
import { rich } from "../messages/rich.tsx";
import { DownloadButton } from "../ui/button.tsx";
import { chipClasses } from "../ui/chip.ts";
import { classes } from "../ui/classes.ts";
import { ErrorCard } from "../ui/error-card.tsx";
import { countText, dayText } from "../ui/formats/format.ts";
import { Money } from "../ui/formats/money.tsx";
import { Time } from "../ui/formats/time.tsx";
import { periodsAt } from "../ui/forms/periods.ts";
import { type Filter, FilterBar } from "../ui/lists/filter-bar.tsx";
import { Card, PageHeader, Stat } from "../ui/page.tsx";
import { apiUrl, get, type Query } from "../ui/requests/api.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { BreakdownTable } from "./breakdown-table.tsx";
import { AnalyticsCharts } from "./charts.tsx";
import { type Analytics, changeText, latencyText, pointsText, rateText } from "./figures.ts";

export type Dimension = { readonly value: string; readonly label: string };

type Search = { readonly [name: string]: string | undefined };

type AnalyticsViewProps = {
  readonly about: string;
  readonly search: Search;
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly Filter[];
  /** The list of the transactions behind a line, or behind all of them. */
  readonly transactions: (filters: Search) => LinkProps;
};

const REFRESH_MILLISECONDS = 60_000;

/** Success, time and value of a period, compared with the one before. Both sites show it. */
export function AnalyticsView({ about, search, dimensions, filters, transactions }: AnalyticsViewProps): ReactNode {
  const by = dimensions.find(({ value }) => value === search["by"]) ?? dimensions[0];
  const query: Query = { ...search, by: by?.value };
  const { data, error, refetch } = useQuery({
    queryKey: ["/analytics", query],
    queryFn: ({ signal }) => get<Analytics>("/analytics", query, signal),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MILLISECONDS,
  });
  return (
    <>
      <PageHeader
        title={analyticsText.analytics}
        actions={<DownloadButton href={apiUrl("/analytics/file", query)}>{analyticsText.exportAsCsv}</DownloadButton>}
      >
        {about}
      </PageHeader>
      <Periods search={search} />
      <FilterBar filters={filters} hasPeriods />
      {data === undefined && (error ? <ErrorCard error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-64" />)}
      {data !== undefined && (
        <div className="space-y-6">
          <Totals data={data} />
          <AnalyticsCharts data={data} />
          <Card title={analyticsText.breakdown} hint={<Compared data={data} />} flush>
            <Tabs search={search} dimensions={dimensions} chosen={by?.value ?? ""} />
            <BreakdownTable
              lines={data.lines}
              label={by?.label ?? ""}
              link={(name) =>
                transactions({
                  ...search,
                  by: undefined,
                  from: data.from,
                  to: data.to,
                  [by?.value === "account" ? "account_id" : (by?.value ?? "")]: name,
                })
              }
            />
            {data.more_lines && <p className="px-5 py-3 text-soft">{analyticsText.onlyThe200LargestLines}</p>}
          </Card>
        </div>
      )}
    </>
  );
}

const DEFAULT_PERIOD = 2;

/** Without chosen days the service shows the last seven. */
function Periods({ search }: { readonly search: Search }): ReactNode {
  const isDefault = search["from"] === undefined && search["to"] === undefined;
  return (
    <nav aria-label={uiText.period} className="mb-4 flex flex-wrap gap-2">
      {periodsAt(Date.now()).map(({ label, from, to }, index) => (
        <Link
          key={label}
          to="."
          search={{ ...search, from, to } as never}
          activeOptions={{ exact: true, includeSearch: true }}
          className={chipClasses(isDefault ? index === DEFAULT_PERIOD : search["from"] === from && search["to"] === to)}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function Totals({ data: { current, previous } }: { readonly data: Analytics }): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Stat label={analyticsText.transactions} note={before(changeText(current.orders, previous.orders), countText(previous.orders))}>
        {countText(current.orders)}
      </Stat>
      <Stat
        label={analyticsText.successRate}
        note={before(pointsText(current.success_rate, previous.success_rate), rateText(previous.success_rate))}
      >
        {rateText(current.success_rate)}
      </Stat>
      <Stat
        label={analyticsText.valueOfSuccesses}
        note={before(changeText(Number(current.value), Number(previous.value)), <Money key="value" value={previous.value} />)}
      >
        <Money value={current.value} />
      </Stat>
      <Stat
        label={analyticsText.timeToFinalMedian}
        note={fill(analyticsText.beforeAndWithin95, { before: latencyText(previous.median_ms), p95: latencyText(current.p95_ms) })}
      >
        {latencyText(current.median_ms)}
      </Stat>
    </div>
  );
}

function before(change: string | null, value: ReactNode): ReactNode {
  if (change === null) return rich(analyticsText.before, { value });
  return rich(analyticsText.changeFromBefore, { change, value, b: (text) => <b className="font-medium text-ink">{text}</b> });
}

function Compared({ data }: { readonly data: Analytics }): ReactNode {
  return (
    <>
      {fill(analyticsText.toComparedWithTo, {
        from: dayText(data.from),
        to: dayText(data.to),
        previousFrom: dayText(data.previous_from),
        previousTo: dayText(data.previous_to),
      })}{" "}
      {data.counted_until === null
        ? analyticsText.noTransactionIsCountedYet
        : rich(analyticsText.countedUntil, { time: <Time value={data.counted_until} /> })}
    </>
  );
}

type TabsProps = { readonly search: Search; readonly dimensions: readonly Dimension[]; readonly chosen: string };

function Tabs({ search, dimensions, chosen }: TabsProps): ReactNode {
  return (
    <nav aria-label={analyticsText.breakdownBy} className="flex flex-wrap gap-1 px-5 pb-3">
      {dimensions.map(({ value, label }) => (
        <Link
          key={value}
          to="."
          search={{ ...search, by: value } as never}
          resetScroll={false}
          aria-current={value === chosen ? "true" : undefined}
          className={classes(
            "inline-flex min-h-9 items-center rounded-md px-3 text-soft hover:bg-sunken",
            value === chosen && "bg-accent-tint font-medium text-accent-strong",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
