import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from "react";
import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { classes } from "../classes.ts";
import { ApiError } from "../requests/api.ts";

export type AroundProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly className?: string;
};
type Wired = { readonly id: string; readonly "aria-describedby": string | undefined; readonly "aria-invalid": boolean };

/** The label, hint and error around an input. */
export function Around({
  label,
  hint,
  error,
  className,
  children,
}: AroundProps & { readonly children: (wired: Wired) => ReactNode }): ReactNode {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classes("space-y-1.5", className)}>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": note === undefined ? undefined : `${id}-note`, "aria-invalid": error !== undefined })}
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? "text-soft text-xs" : "text-bad text-xs font-medium"}>
          {note}
        </p>
      )}
    </div>
  );
}

/** A labelled input. Accepts the result of react-hook-form's register(…). */
export function Field({
  label,
  hint,
  error,
  className,
  ...rest
}: AroundProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }): ReactNode {
  return (
    <Around label={label} hint={hint} error={error} {...(className === undefined ? {} : { className })}>
      {(wired) => <input className="input" {...wired} {...rest} />}
    </Around>
  );
}

export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: AroundProps & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }): ReactNode {
  return (
    <Around label={label} hint={hint} error={error} {...(className === undefined ? {} : { className })}>
      {(wired) => <textarea className="input min-h-28" {...wired} {...rest} />}
    </Around>
  );
}

export type Option = { readonly value: string; readonly label: string };

export function Select({
  label,
  hint,
  error,
  className,
  options,
  ...rest
}: AroundProps &
  SelectHTMLAttributes<HTMLSelectElement> & { readonly options: readonly Option[]; ref?: Ref<HTMLSelectElement> }): ReactNode {
  return (
    <Around label={label} hint={hint} error={error} {...(className === undefined ? {} : { className })}>
      {(wired) => (
        <select className="input" {...wired} {...rest}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Around>
  );
}

export function Checkbox({
  label,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { readonly label: ReactNode; ref?: Ref<HTMLInputElement> }): ReactNode {
  return (
    <label className="flex min-h-6 items-start gap-2.5">
      <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" {...rest} />
      <span>{label}</span>
    </label>
  );
}

/** Shows an error's field messages at their fields; true when every message has a field. */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  names: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError)) return false;
  const known = names.filter((name) => error.fields[name] !== undefined);
  for (const name of known) setError(name, { message: error.fields[name] ?? "" });
  return known.length > 0 && known.length === Object.keys(error.fields).length;
}
