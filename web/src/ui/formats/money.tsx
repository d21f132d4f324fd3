import { Fragment, type ReactNode } from "react";
import { classes } from "../classes.ts";
import { groupMoney } from "./format.ts";

/**
 * An amount such as ₹1,23,456.50. The rupee sign and the commas cannot be selected, and the decimals that are not shown
 * have no size, so that a copy is the exact string: 123456.5000.
 */
export function Money({ value, className }: { readonly value: string; readonly className?: string }): ReactNode {
  const { negative, grouped, rest } = groupMoney(value);
  const groups = grouped.split(",");
  return (
    <span className={classes("whitespace-nowrap tabular-nums", className)} title={value}>
      {negative && "-"}
      <span className="select-none">₹</span>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of digits have no identity other than their position.
        <Fragment key={index}>
          {index > 0 && <span className="select-none">,</span>}
          {group}
        </Fragment>
      ))}
      {rest !== "" && (
        <span aria-hidden className="text-[0px]">
          {rest}
        </span>
      )}
    </span>
  );
}
