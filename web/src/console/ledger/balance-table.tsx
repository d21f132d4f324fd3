import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Card } from "../../ui/page.tsx";
import { DATA_MODE } from "../../ui/requests/data-mode.ts";
import { BUCKETS, type Side, type TrialBalance } from "./data.ts";

/** The total of each bucket over all wallets. */
export function BalanceTable({ balance }: { readonly balance: TrialBalance }): ReactNode {
  const side = DATA_MODE === "live" ? balance.live : balance.sandbox;
  return (
    <Card
      title="Trial balance"
      hint={
        <>
          Totals over all wallets, as of <Time value={balance.at} />.
        </>
      }
      actions={<Verdict balance={balance} />}
      flush
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label="Trial balance" tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-line border-y bg-sunken text-soft text-xs">
              <th scope="col" className="py-2 pr-3 pl-5 font-medium">
                Bucket
              </th>
              <th scope="col" className="py-2 pr-5 pl-3 text-right font-medium">
                {DATA_MODE === "live" ? "Clients" : "Sandboxes"}
              </th>
            </tr>
          </thead>
          <tbody>
            {BUCKETS.map(({ bucket, name, description }) => (
              <tr key={bucket} className="border-line border-b">
                <th scope="row" className="py-2 pr-3 pl-5 font-medium">
                  {name}
                  <span className="block font-normal text-soft text-xs">{description}</span>
                </th>
                <Amount value={side[bucket]} />
              </tr>
            ))}
            <tr className="border-line border-b bg-sunken font-semibold">
              <th scope="row" className="py-3 pr-3 pl-5">
                Sum
              </th>
              <Amount value={side.sum} />
            </tr>
            <tr className="text-soft text-xs">
              <th scope="row" className="py-2 pr-3 pl-5 font-normal">
                Wallets
              </th>
              <Wallets side={side} />
            </tr>
          </tbody>
        </table>
      </section>
    </Card>
  );
}

function Verdict({ balance }: { readonly balance: TrialBalance }): ReactNode {
  return balance.ok ? <Badge tone="good">Sums to zero</Badge> : <Badge tone="bad">Does not sum to zero</Badge>;
}

function Amount({ value }: { readonly value: string }): ReactNode {
  return (
    <td className="py-2 pr-5 pl-3 text-right">
      <Money value={value} />
    </td>
  );
}

function Wallets({ side }: { readonly side: Side }): ReactNode {
  return (
    <td className="py-2 pr-5 pl-3 text-right tabular-nums">
      {countText(side.wallets)}
      {side.unbalanced > 0 && <b className="text-bad">, {countText(side.unbalanced)} unbalanced</b>}
    </td>
  );
}
