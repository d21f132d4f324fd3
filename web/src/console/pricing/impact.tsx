import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { usePaused } from "../../ui/lists/paused.ts";
import { ApiError } from "../../ui/requests/api.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import type { Impact } from "./rule.ts";
import { bodyOf, type TermsText } from "./terms.ts";

/** The rule's impact on recent orders, requested after a pause in typing. */
export function ImpactOf({ terms }: { readonly terms: TermsText }): ReactNode {
  const body = usePaused(bodyOf(terms));
  const { data, error } = useQuery({
    queryKey: ["/pricing", "impact", body],
    queryFn: () => post("/pricing/impact", body),
    retry: false,
    placeholderData: keepPreviousData,
  });
  return (
    // As high as its skeleton, so that the buttons below stay in place when the answer is one line.
    <section aria-label="Impact" aria-live="polite" className="min-h-22.5 rounded-lg border border-line bg-sunken px-4 py-3">
      {error !== null ? <ImpactError error={error} /> : data === undefined ? <Skeleton className="h-16" /> : <ImpactTable impact={data} />}
    </section>
  );
}

/** Invalid fields are reported when the rule is saved; until then the impact is empty. */
function ImpactError({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) return <ErrorCard error={error} />;
  return <p className="text-soft">Fill in the rule to see its impact on the last 30 days’ orders.</p>;
}

function ImpactTable({ impact }: { readonly impact: Impact }): ReactNode {
  if (impact.orders === 0) return <p className="text-soft">No order of the last {impact.days} days matches this rule.</p>;
  return (
    <>
      <p>
        In the last {impact.days} days, <b className="tabular-nums">{countText(impact.orders)}</b> orders worth{" "}
        <Money value={impact.value} className="font-semibold" /> match this rule
        {impact.accounts > 1 ? `, of ${countText(impact.accounts)} accounts` : ""}.
      </p>
      {!impact.complete && (
        <p className="mt-1 text-soft text-xs">
          Only orders since <Time value={impact.since} /> were counted, because there are too many.
        </p>
      )}
      <table className="mt-3 w-full text-left tabular-nums">
        <thead>
          <tr className="text-soft text-xs">
            <th scope="col" className="py-1 font-medium">
              Total
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              With this rule
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Currently
            </th>
          </tr>
        </thead>
        <tbody>
          <Line name="Fees paid" proposed={impact.fee} current={impact.current_fee} />
          <Line name="Commission earned" proposed={impact.commission} current={impact.current_commission} />
        </tbody>
      </table>
    </>
  );
}

function Line({ name, proposed, current }: { readonly name: string; readonly proposed: string; readonly current: string }): ReactNode {
  return (
    <tr className="border-line border-t">
      <th scope="row" className="py-1.5 font-normal">
        {name}
      </th>
      <td className="py-1.5 text-right font-semibold">
        <Money value={proposed} />
      </td>
      <td className="py-1.5 text-right text-soft">
        <Money value={current} />
      </td>
    </tr>
  );
}
