import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useId, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../button.tsx";
import type { Option } from "../forms/field.tsx";
import { isFirstDay, PeriodChoice } from "../forms/period-choice.tsx";
import { TimeInput } from "../forms/time-field.tsx";
import { DAY } from "../forms/typed-time.ts";
import { SavedViews } from "./saved-views.tsx";

/** A filter; `name` is its search parameter. */
export type Filter =
  | { readonly kind: "search" | "text"; readonly name: string; readonly label: string; readonly placeholder?: string }
  | { readonly kind: "choice"; readonly name: string; readonly label: string; readonly options: readonly Option[] }
  | { readonly kind: "day"; readonly name: string; readonly label: string }
  /** An input of the page's own. */
  | { readonly kind: "own"; readonly name: string; readonly label: string; readonly input: (props: OwnInputProps) => ReactNode };

export type OwnInputProps = { readonly id: string; readonly value: string; readonly onChange: (value: string) => void };

type Values = Readonly<Record<string, unknown>>;
const TYPING_MILLISECONDS = 300;

type FilterBarProps = {
  readonly filters: readonly Filter[];
  /** The page offers periods itself. */
  readonly hasPeriods?: boolean;
};

/** Filters kept in the URL, so that they survive a reload and can be shared as a link. */
export function FilterBar({ filters, hasPeriods = false }: FilterBarProps): ReactNode {
  const values: Values = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changed: Values) =>
    void navigate({ to: ".", search: ((before: Values) => ({ ...before, ...changed })) as never, replace: true, resetScroll: false });
  const active = filters.filter((filter) => values[filter.name] !== undefined);
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    // New keys reset the inputs, so that text still being typed is not applied after the clear.
    setCleared(cleared + 1);
    change(Object.fromEntries(active.map((filter) => [filter.name, undefined])));
  };
  return (
    <search className="mb-4 flex flex-wrap items-start gap-3">
      {filters.map((filter) => (
        <Fragment key={`${filter.name} ${cleared}`}>
          {!hasPeriods && isFirstDay(filter, filters) && <PeriodChoice name={filter.name} values={values} onChange={change} />}
          <FilterInput
            filter={filter}
            value={String(values[filter.name] ?? "")}
            onChange={(value) => change({ [filter.name]: value === "" ? undefined : value })}
          />
        </Fragment>
      ))}
      {active.length > 0 && (
        <Button look="quiet" icon={X} className="mt-5" onClick={clear}>
          {uiText.clear}
        </Button>
      )}
      <SavedViews names={filters.map(({ name }) => name)} />
    </search>
  );
}

const WIDTHS: Readonly<Record<string, string>> = { search: "w-full sm:w-72", own: "w-full sm:w-56" };

type FilterInputProps = { readonly filter: Filter; readonly value: string; readonly onChange: (value: string) => void };

function FilterInput({ filter, value, onChange }: FilterInputProps): ReactNode {
  const id = useId();
  return (
    <div className={WIDTHS[filter.kind] ?? "w-[calc(50%-0.375rem)] sm:w-40"}>
      <label htmlFor={id} className="mb-1 block text-soft text-xs">
        {filter.label}
      </label>
      {filter.kind === "choice" ? (
        <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{uiText.all}</option>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : filter.kind === "day" ? (
        <Day id={id} value={value} onChange={onChange} />
      ) : filter.kind === "own" ? (
        filter.input({ id, value, onChange })
      ) : (
        <Typed id={id} filter={filter} value={value} onChange={onChange} />
      )}
    </div>
  );
}

// Only a day or nothing is applied. Other text is an error, and the list stays as it was.
function Day({ id, value, onChange }: Omit<FilterInputProps, "filter"> & { readonly id: string }): ReactNode {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const isUnread = typed !== "" && DAY.read(typed) === null;
  const change = (next: string) => {
    setTyped(next);
    if (next !== value && (next === "" || DAY.read(next) !== null)) onChange(next);
  };
  return (
    <>
      <TimeInput
        kind={DAY}
        value={typed}
        onChange={change}
        input={{ id, placeholder: uiText.anyDay, "aria-invalid": isUnread, "aria-describedby": `${id}-note` }}
      />
      <p id={`${id}-note`} className="mt-1 text-bad text-xs font-medium empty:hidden">
        {isUnread && fill(uiText.suchAs, { example: DAY.example })}
      </p>
    </>
  );
}

// Typed text is applied after a pause, so that the list is not requested for every letter.
function Typed({ id, filter, value, onChange }: FilterInputProps & { readonly id: string }): ReactNode {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  const type = filter.kind === "search" ? "search" : "text";
  return (
    <div className="relative">
      {filter.kind === "search" && <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-soft" />}
      <input
        id={id}
        type={type}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={filter.kind === "search" ? "input pl-9" : "input"}
        placeholder={"placeholder" in filter ? filter.placeholder : undefined}
        {...(filter.kind === "search" ? { "data-search": "" } : {})}
      />
    </div>
  );
}
