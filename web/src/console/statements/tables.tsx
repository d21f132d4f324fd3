import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import { countText, dayText, isNonZero } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { type Statement, type StatementItem, type Step, stepsOf } from "./statement.ts";

/** The steps from the opening to the closing balance. */
export function BalanceSteps({ statement }: { readonly statement: Statement }): ReactNode {
  const steps = stepsOf(statement);
  return (
    <table className="w-full text-left">
      <caption className="sr-only">From the opening to the closing balance</caption>
      <tbody>
        {steps.map((step, index) => (
          <StepRow key={step.name} step={step} isEnd={index === 0 || index === steps.length - 1} />
        ))}
      </tbody>
    </table>
  );
}

function StepRow({ step, isEnd }: { readonly step: Step; readonly isEnd: boolean }): ReactNode {
  return (
    <tr className={classes("border-line border-t first:border-t-0", isEnd && "font-semibold")}>
      <th scope="row" className={classes("py-2 pr-4", !isEnd && "font-normal")}>
        {step.name}
      </th>
      <td className="whitespace-nowrap py-2 text-right tabular-nums">
        {step.sign === "" ? "" : step.sign === "+" ? "+ " : "− "}
        <Money value={step.amount} />
      </td>
    </tr>
  );
}

const HEADS = ["Orders", "Value", "Fees", "Returned", "Commission", "Net"];
// On narrow screens only the value and the net amount have room. A print always has all columns.
const WIDE_HEADS = ["Orders", "Fees", "Returned", "Commission"];
const WIDE_ONLY = "max-sm:hidden print:table-cell";

/** Totals by service and operator. */
export function OperatorSums({ statement }: { readonly statement: Statement }): ReactNode {
  const { items, totals } = statement;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section aria-label="By service and operator" tabIndex={0} className="overflow-x-auto print:overflow-visible">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">By service and operator</caption>
        <thead>
          <tr className="border-line border-y bg-sunken text-soft text-xs">
            <th scope="col" className={cell("py-2 font-medium")}>
              Service and operator
            </th>
            {HEADS.map((head) => (
              <th key={head} scope="col" className={cell(classes("py-2 text-right font-medium", WIDE_HEADS.includes(head) && WIDE_ONLY))}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={`${item.service} ${item.operator} ${item.credit}`} className="break-inside-avoid border-line border-b">
              <th scope="row" className={cell("py-2 font-medium")}>
                <span className="block">{item.service_name}</span>
                <span className="block font-normal text-soft text-xs">{operatorText(item)}</span>
              </th>
              <Sums sums={item} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className={cell("py-2")}>
              Total
            </th>
            <Sums sums={totals} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function operatorText(item: StatementItem): string {
  const name = item.operator_name === item.operator ? item.operator : `${item.operator_name} (${item.operator})`;
  return item.credit ? `${name}, paid to the wallet` : name;
}

function Sums({ sums }: { readonly sums: Statement["totals"] | StatementItem }): ReactNode {
  return (
    <>
      <td className={cell(`text-right tabular-nums ${WIDE_ONLY}`)}>{countText(sums.orders)}</td>
      <Amount value={sums.value} />
      <Amount value={sums.fees} wideOnly />
      <Amount value={sums.refunds} less={sums.taken_back} wideOnly />
      <Amount value={sums.commission} less={sums.commission_back} wideOnly />
      <Amount value={sums.net} />
    </>
  );
}

type AmountProps = { readonly value: string; readonly less?: string; readonly wideOnly?: boolean };

/** An amount with the reversed part below it as a negative amount. */
function Amount({ value, less = "0", wideOnly = false }: AmountProps): ReactNode {
  return (
    <td className={cell(classes("text-right", wideOnly && WIDE_ONLY))}>
      <Money value={value} />
      {isNonZero(less) && (
        <span className="block text-soft text-xs">
          <Money value={`-${less}`} />
        </span>
      )}
    </td>
  );
}

function cell(more: string): string {
  return classes("px-3 py-2 first:pl-5 last:pr-5 print:px-1.5 print:first:pl-0 print:last:pr-0", more);
}

/** The Merkle root and the signature of each signed day, as they are printed. */
export function SignedDaysTable({ statement }: { readonly statement: Statement }): ReactNode {
  const keys = [...new Set(statement.signed_days.map((day) => day.key_id))];
  return (
    <div>
      <ul className="divide-y divide-line">
        {statement.signed_days.map((day) => (
          <li key={day.day} className="px-5 py-2.5 print:px-0">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">{dayText(day.day)}</span>
              <span className="text-soft">
                Transfers {day.first_entry} to {day.last_entry}, closing balance <Money value={day.closing_balance} />
              </span>
            </p>
            <p className="mt-0.5 break-all font-mono text-soft text-xs">Root {day.root}</p>
            <p className="break-all font-mono text-soft text-xs">Signature {day.signature}</p>
          </li>
        ))}
      </ul>
      <p className="break-all border-line border-t px-5 py-2.5 text-soft text-xs print:px-0">Signed with the key {keys.join(", ")}</p>
    </div>
  );
}
