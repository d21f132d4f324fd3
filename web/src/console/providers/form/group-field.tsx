import { type ReactNode, useId, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { type JsonNode, memberOf, type Step } from "../editor/json-tree.ts";
import type { Schema } from "../editor/schema.ts";
import { faultsAt, faultsBelow } from "./field-faults.ts";
import { initialValue, resolveField } from "./field-shape.ts";
import { useForm } from "./form-context.ts";
import { labelOf } from "./labels.ts";
import { PartFaults } from "./parts.tsx";

type GroupProps = {
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly steps: readonly Step[];
  readonly node: JsonNode | null;
};

/** The fields of an object: those that are written or required, and a choice of the others. */
export function GroupFields({ fields, required, steps, node }: GroupProps): ReactNode {
  const form = useForm();
  const isWritten = (name: string) => memberOf(node, name) !== null;
  const isShown = (name: string) => isWritten(name) || required.includes(name) || faultsBelow(form.faults, [...steps, name]).length > 0;
  // The constant that names the kind of a part is chosen above its fields.
  const names = Object.keys(fields).filter((name) => fields[name]?.const === undefined);
  const shown = names.filter(isShown);
  const unknown = (node?.members ?? []).map(({ name }) => name).filter((name) => fields[name] === undefined);
  return (
    <>
      <PartFaults messages={faultsAt(form.faults, steps, [...shown, ...unknown])} />
      {shown.map((name) => (
        <form.Field
          key={name}
          schema={fields[name] ?? {}}
          steps={[...steps, name]}
          node={memberOf(node, name)?.node ?? null}
          label={labelOf(name)}
          onRemove={isWritten(name) && !required.includes(name) ? () => form.remove([...steps, name]) : undefined}
        />
      ))}
      {unknown.map((name) => (
        <UnknownField key={name} name={name} faults={faultsBelow(form.faults, [...steps, name])} />
      ))}
      <AddField
        names={names.filter((name) => !isShown(name))}
        helpOf={(name) => resolveField(form.root, fields[name] ?? {}, null)?.help ?? ""}
        onAdd={(name) => form.set([...steps, name], initialValue(form.root, fields[name] ?? {}))}
      />
    </>
  );
}

/** What the schema does not know stays in the document. */
function UnknownField({ name, faults }: { readonly name: string; readonly faults: readonly string[] }): ReactNode {
  return (
    <div>
      <p className="break-words text-soft text-xs">
        <code className="font-mono">{name}</code> is not a field of descriptions. It stays as it is; edit it in the JSON.
      </p>
      <PartFaults messages={faults} />
    </div>
  );
}

type AddFieldProps = {
  readonly names: readonly string[];
  readonly helpOf: (name: string) => string;
  readonly onAdd: (name: string) => void;
};

/** Adds one of the fields that are not written yet. */
function AddField({ names, helpOf, onAdd }: AddFieldProps): ReactNode {
  const help = useId();
  const [chosen, setChosen] = useState("");
  const name = names.includes(chosen) ? chosen : (names[0] ?? "");
  if (names.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <select
        aria-label="Field to add"
        aria-describedby={help}
        className="input min-w-0 flex-1 basis-32"
        value={name}
        onChange={(event) => setChosen(event.target.value)}
      >
        {names.map((one) => (
          <option key={one} value={one}>
            {labelOf(one)}
          </option>
        ))}
      </select>
      <Button onClick={() => onAdd(name)}>Add field</Button>
      <p id={help} className="basis-full text-soft text-xs">
        {helpOf(name)}
      </p>
    </div>
  );
}
