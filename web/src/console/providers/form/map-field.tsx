import { Plus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import type { JsonNode, Step } from "../editor/json-tree.ts";
import type { Schema } from "../editor/schema.ts";
import { faultsAt } from "./field-faults.ts";
import { initialValue } from "./field-shape.ts";
import { useForm } from "./form-context.ts";
import { memberName } from "./member-names.ts";
import { nameFault, proposedNames } from "./names.ts";
import { PartFaults } from "./parts.tsx";

type MapProps = { readonly value: Schema; readonly names: Schema; readonly steps: readonly Step[]; readonly node: JsonNode | null };

/** Values by name, such as headers or conditions. A name can be changed, and names can be added. */
export function MapEntries({ value, names, steps, node }: MapProps): ReactNode {
  const form = useForm();
  const taken = (node?.members ?? []).map(({ name }) => name);
  const add = (name: string) => {
    const first = initialValue(form.root, value);
    if (node === null) form.set(steps, { [name]: first });
    else form.set([...steps, name], first);
  };
  return (
    <>
      <PartFaults messages={faultsAt(form.faults, steps, taken)} />
      {(node?.members ?? []).map((member) => (
        <div key={member.name} className={isShort(member.node) ? "grid gap-1 sm:grid-cols-[minmax(0,2fr)_minmax(0,4fr)]" : "space-y-1"}>
          <EntryName
            name={member.name}
            faultOf={(name) => nameFault(names, taken, name)}
            onName={(name) => form.rename([...steps, member.name], name)}
          />
          <form.Field
            schema={value}
            steps={[...steps, member.name]}
            node={member.node}
            label={member.name}
            isInRow
            onRemove={() => form.remove([...steps, member.name])}
          />
        </div>
      ))}
      <AddEntry kind={memberName(steps.at(-1))} names={names} taken={taken} onAdd={add} />
    </>
  );
}

/** A short value fits into the row of its name. */
function isShort(node: JsonNode | null): boolean {
  return node?.kind !== "object" && node?.kind !== "array";
}

type EntryNameProps = {
  readonly name: string;
  readonly faultOf: (name: string) => string | null;
  readonly onName: (name: string) => void;
};

/** The name of an entry. It changes when the field is left, because a half-written name may be another entry's. */
function EntryName({ name, faultOf, onName }: EntryNameProps): ReactNode {
  const [typed, setTyped] = useState(name);
  const fault = typed === name ? null : faultOf(typed);
  const leave = () => {
    if (typed !== name && fault === null) onName(typed);
  };
  return (
    <div>
      <input
        className="input"
        aria-label={`Name of ${name}`}
        aria-invalid={fault !== null}
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={leave}
        onKeyDown={onEnter(leave)}
      />
      <PartFaults messages={fault === null ? [] : [fault]} />
    </div>
  );
}

/** Enter in a field would save the whole description. */
function onEnter(run: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    run();
  };
}

type AddEntryProps = {
  readonly kind: string;
  readonly names: Schema;
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
};

function AddEntry({ kind, names, taken, onAdd }: AddEntryProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [list, help] = [useId(), useId()];
  const proposed = proposedNames(names).filter((name) => !taken.includes(name));
  const add = () => {
    const found = nameFault(names, taken, typed);
    setFault(found);
    if (found !== null) return;
    onAdd(typed);
    setTyped("");
  };
  const label = `Name of a new ${kind.toLowerCase()}`;
  return (
    <div>
      <div className="flex flex-wrap gap-1">
        <input
          className="input min-w-0 flex-1 basis-40"
          aria-label={label}
          placeholder={label}
          aria-describedby={help}
          aria-invalid={fault !== null}
          list={proposed.length > 0 ? list : undefined}
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setFault(null);
          }}
          onKeyDown={onEnter(add)}
        />
        <datalist id={list}>
          {proposed.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button icon={Plus} onClick={add}>
          Add {kind.toLowerCase()}
        </Button>
      </div>
      <p id={help} className={fault === null ? "mt-1 text-soft text-xs" : "mt-1 font-medium text-bad text-xs"}>
        {fault ?? names.description}
      </p>
    </div>
  );
}
