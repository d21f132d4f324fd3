import type { ReactNode } from "react";
import { Field } from "../../ui/forms/field.tsx";

type Values = Readonly<Record<string, string>>;

type SecretFieldsProps = {
  readonly names: readonly string[];
  /** A new provider's secrets can be entered at once; those of an existing one only when its address changes. */
  readonly isNew: boolean;
  readonly faults: Values;
  readonly values: Values;
  readonly onValues: (values: Values) => void;
};

/** The secrets that are saved with a definition. */
export function SecretFields({ names, isNew, faults, values, onValues }: SecretFieldsProps): ReactNode {
  const shown = isNew ? names : names.filter((name) => faults[name] !== undefined || values[name] !== undefined);
  return shown.map((name) => (
    <Field
      key={name}
      label={`Secret ${name}`}
      type="password"
      autoComplete="off"
      maxLength={4000}
      hint={isNew ? "You can set it later. Until then the provider gets no orders." : undefined}
      error={faults[name]}
      value={values[name] ?? ""}
      onChange={(event) => onValues({ ...values, [name]: event.target.value })}
    />
  ));
}
