import { Fragment, type ReactNode } from "react";
import { classes } from "./classes.ts";
import { groupMoney } from "./format.ts";

/** ₹1,23,456.5000. The sign and the commas are left out of a selection, so that what is copied is the exact string. */
export function Money({ value, className }: { readonly value: string; readonly className?: string }): ReactNode {
  const { negative, grouped } = groupMoney(value);
  const groups = grouped.split(",");
  return (
    <span className={classes("whitespace-nowrap tabular-nums", className)} title={value}>
      {negative && "-"}
      <span className="select-none">₹</span>
      {groups.map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of digits have no other identity than their place.
        <Fragment key={place}>
          {place > 0 && <span className="select-none">,</span>}
          {group}
        </Fragment>
      ))}
    </span>
  );
}
