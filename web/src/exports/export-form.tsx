import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import type { ShownStatus } from "../transactions/statuses.ts";
import { useAttempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { Field, type Option, Select, showFieldErrors } from "../ui/field.tsx";
import { indiaDay } from "../ui/format.ts";

type Values = { from: string; to: string; status: ShownStatus | ""; service: string };

type Props = {
  /** Values that the filters of the list preset. The days are otherwise the last seven. */
  readonly preset: { readonly [Name in keyof Values]?: Values[Name] | undefined };
  readonly start: (values: Values) => Promise<unknown>;
  /** Query of the list of exports, read again when one was started. */
  readonly list: QueryKey;
  /** Choices in addition to the days. */
  readonly choices?: readonly { readonly name: "status" | "service"; readonly label: string; readonly options: readonly Option[] }[];
  /** What will be exported, in a sentence. */
  readonly children?: ReactNode;
};

const ALL: Option = { value: "", label: "All" };
const CHOOSE_DAY = { required: "Choose a day." };

/** Asks for the days and starts an export of transactions. */
export function ExportForm({ preset, start, list, choices = [], children }: Props): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const now = Date.now();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      from: preset.from ?? indiaDay(now, 6),
      to: preset.to ?? indiaDay(now),
      status: preset.status ?? "",
      service: preset.service ?? "",
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
      <div className="grid grid-cols-2 gap-4">
        <Field label="From" type="date" error={errors.from?.message} {...register("from", CHOOSE_DAY)} />
        <Field label="To" type="date" error={errors.to?.message} {...register("to", CHOOSE_DAY)} />
        {choices.map(({ name, label, options }) => (
          <Select key={name} label={label} options={[ALL, ...options]} error={errors[name]?.message} {...register(name)} />
        ))}
      </div>
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" icon={FileDown} busy={busy}>
          Start export
        </Button>
      </div>
    </form>
  );
}
