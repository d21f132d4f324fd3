import { type ReactNode, useId } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { dayAfter, periodsAt } from "./periods.ts";

type Values = Readonly<Record<string, unknown>>;

// The first day of a range and its end. The end of a range since … until … is not part of it.
const ENDS: Readonly<Record<string, { readonly name: string; readonly isExclusive: boolean }>> = {
  from: { name: "to", isExclusive: false },
  since: { name: "until", isExclusive: true },
};

/** Whether a filter is the first day of a range whose end can be chosen too. */
export function isFirstDay({ name }: { readonly name: string }, filters: readonly { readonly name: string }[]): boolean {
  const end = ENDS[name];
  return end !== undefined && filters.some((filter) => filter.name === end.name);
}

type Props = { readonly name: string; readonly values: Values; readonly onChange: (changed: Values) => void };

/** Sets both days of a range with one choice. */
export function PeriodChoice({ name, values, onChange }: Props): ReactNode {
  const id = useId();
  const end = ENDS[name] ?? { name: "", isExclusive: false };
  const periods = periodsAt(Date.now()).map(({ label, from, to }) => ({ label, from, to: end.isExclusive ? dayAfter(to) : to }));
  const [from, to] = [values[name], values[end.name]];
  const isAny = from === undefined && to === undefined;
  const chosen = periods.find((period) => period.from === from && period.to === to);
  const choose = (label: string) => {
    const period = periods.find((one) => one.label === label);
    onChange({ [name]: period?.from, [end.name]: period?.to });
  };
  return (
    <div className="w-[calc(50%-0.375rem)] sm:w-40">
      <label htmlFor={id} className="mb-1 block text-soft text-xs">
        {uiText.period}
      </label>
      <select id={id} className="input" value={chosen?.label ?? ""} onChange={(event) => choose(event.target.value)}>
        <option value="">{isAny || chosen !== undefined ? uiText.anyTime : uiText.chosenDays}</option>
        {periods.map(({ label }) => (
          <option key={label} value={label}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
