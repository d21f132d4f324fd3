import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import type { ReactNode } from "react";
import { type Control, Controller, type FieldErrors, useForm } from "react-hook-form";
import { exportsText } from "../messages/en/exports.ts";
import { uiText } from "../messages/en/ui.ts";
import { fill } from "../messages/fill.ts";
import type { ShownStatus } from "../transactions/statuses.ts";
import { Button } from "../ui/button.tsx";
import { chipClasses } from "../ui/chip.ts";
import { ErrorCard } from "../ui/error-card.tsx";
import { indiaDay } from "../ui/formats/format.ts";
import { useAttempt } from "../ui/forms/attempt.ts";
import { Field, type Option, Select, showFieldErrors } from "../ui/forms/field.tsx";
import { periodsAt } from "../ui/forms/periods.ts";
import { TimeField } from "../ui/forms/time-field.tsx";
import { DAY } from "../ui/forms/typed-time.ts";

type Values = { from: string; to: string; status: ShownStatus | ""; service: string; operator: string; search: string };

/** A filter of the export; without options it is typed. */
type Choice = {
  readonly name: "status" | "service" | "operator" | "search";
  readonly label: string;
  readonly options?: readonly Option[];
};

type Props = {
  /** Values that the filters of the list preset. The days are otherwise the last seven. */
  readonly preset: { readonly [Name in keyof Values]?: Values[Name] | undefined };
  readonly start: (values: Values) => Promise<unknown>;
  /** Query of the list of exports, read again when one was started. */
  readonly list: QueryKey;
  /** Choices in addition to the days. */
  readonly choices?: readonly Choice[];
  /** What will be exported, in a sentence. */
  readonly children?: ReactNode;
};

const ALL: Option = { value: "", label: exportsText.all };
const CHOOSE_DAY = { validate: (text: string) => DAY.read(text) !== null || fill(exportsText.enterADaySuchAs, { example: DAY.example }) };

/** Asks for the days and starts an export of transactions. */
export function ExportForm({ preset, start, list, choices = [], children }: Props): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const now = Date.now();
  const { register, control, handleSubmit, setError, setValue, watch, formState } = useForm<Values>({
    defaultValues: {
      from: preset.from ?? indiaDay(now, 6),
      to: preset.to ?? indiaDay(now),
      status: preset.status ?? "",
      service: preset.service ?? "",
      operator: preset.operator ?? "",
      search: preset.search ?? "",
    },
  });
  const send = async (values: Values) => {
    try {
      await start(values);
      await queries.invalidateQueries({ queryKey: list });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["from", "to", ...choices.map(({ name }) => name)], setError)) throw refused;
    }
  };
  const { errors } = formState;
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
      {children !== undefined && <p className="text-soft">{children}</p>}
      <Periods
        chosen={watch(["from", "to"])}
        onChoose={(from, to) => {
          setValue("from", from, { shouldValidate: true });
          setValue("to", to, { shouldValidate: true });
        }}
      />
      <div className="grid grid-cols-2 gap-4">
        <Days control={control} errors={errors} />
        {choices.map(({ name, label, options }) => {
          const common = { label, error: errors[name]?.message, ...register(name) };
          return options === undefined ? (
            <Field key={name} autoComplete="off" maxLength={64} {...common} />
          ) : (
            <Select key={name} options={[ALL, ...options]} {...common} />
          );
        })}
      </div>
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" icon={FileDown} busy={busy}>
          {exportsText.startExport}
        </Button>
      </div>
    </form>
  );
}

type PeriodsProps = { readonly chosen: readonly string[]; readonly onChoose: (from: string, to: string) => void };

/** Sets both days with one click. */
function Periods({ chosen, onChoose }: PeriodsProps): ReactNode {
  return (
    <fieldset aria-label={uiText.period} className="flex flex-wrap gap-2">
      {periodsAt(Date.now()).map(({ label, from, to }) => {
        const isChosen = chosen[0] === from && chosen[1] === to;
        return (
          <button key={label} type="button" aria-pressed={isChosen} className={chipClasses(isChosen)} onClick={() => onChoose(from, to)}>
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}

type DaysProps = { readonly control: Control<Values>; readonly errors: FieldErrors<Values> };

function Days({ control, errors }: DaysProps): ReactNode {
  return (["from", "to"] as const).map((name) => (
    <Controller
      key={name}
      control={control}
      name={name}
      rules={CHOOSE_DAY}
      render={({ field: { value, onChange } }) => (
        <TimeField
          kind={DAY}
          label={name === "from" ? exportsText.from : exportsText.to}
          value={value}
          onChange={onChange}
          error={errors[name]?.message}
        />
      )}
    />
  ));
}
