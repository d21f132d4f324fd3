import type { ReactNode } from "react";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { type Fact, Facts, Notice } from "../../ui/page.tsx";
import { type BulkPreview, itemsText } from "./bulk.ts";

/** How many items a bulk action is about, their sum, and what it leaves out and why. */
export function PreviewFacts({ preview }: { readonly preview: BulkPreview }): ReactNode {
  const { action, count, amount, accounts, skipped, has_more: hasMore } = preview;
  const facts: readonly Fact[] = [
    ["Included", itemsText(action, count)],
    ["Clients", countText(accounts)],
    ...(action === "resend" ? [] : [["Sum", <Money key="sum" value={amount} />] as const]),
  ];
  return (
    <div className="space-y-4">
      {count === 0 && (
        <Notice>
          {skipped.length === 0 ? "Nothing matches your choice." : "Nothing of your choice can be included. The reasons are below."}
        </Notice>
      )}
      <Facts facts={facts} />
      {skipped.length > 0 && (
        <section aria-label="Left out" className="space-y-1">
          <h3 className="font-semibold">Left out</h3>
          <ul className="list-disc space-y-1 pl-5">
            {skipped.map((one) => (
              <li key={one.reason}>
                {itemsText(action, one.count)}: {one.reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      {hasMore && <Notice>More match than one job can hold. Start again afterwards for the rest.</Notice>}
    </div>
  );
}
