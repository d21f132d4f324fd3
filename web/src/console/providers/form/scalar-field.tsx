import { type ReactNode, useRef, useState } from "react";
import type { JsonNode, Step } from "../editor/json-tree.ts";
import { faultsBelow } from "./field-faults.ts";
import type { FieldShape } from "./field-shape.ts";
import { useForm } from "./form-context.ts";
import { Labelled } from "./parts.tsx";

type ShapeOf<Kind extends FieldShape["kind"]> = Extract<FieldShape, { readonly kind: Kind }>;
type ScalarShape = Exclude<FieldShape, ShapeOf<"group" | "map" | "list">>;

type ScalarProps<Shape extends FieldShape> = {
  readonly shape: Shape;
  readonly steps: readonly Step[];
  readonly node: JsonNode | null;
  readonly label: string;
  readonly help: string;
  readonly isInRow: boolean;
};

export function ScalarField({ shape, ...rest }: ScalarProps<ScalarShape>): ReactNode {
  switch (shape.kind) {
    case "choice":
    case "boolean":
      return <ChoiceField shape={shape} {...rest} />;
    case "number":
      return <NumberField shape={shape} {...rest} />;
    case "text":
      return <TextField shape={shape} {...rest} />;
    case "null":
      return <p className="text-soft">{rest.label}: empty (null)</p>;
  }
}

const BOOLEANS = [true, false] as const;

/** One of a few words, or yes and no. */
function ChoiceField({ shape, steps, node, label, help, isInRow }: ScalarProps<ShapeOf<"choice" | "boolean">>): ReactNode {
  const { set, faults } = useForm();
  const words: readonly unknown[] = shape.kind === "boolean" ? BOOLEANS : shape.words;
  const chosen = words.indexOf(node?.scalar);
  return (
    <Labelled label={label} help={hintOf(help, shape.fallback)} error={errorOf(faultsBelow(faults, steps))} isInRow={isInRow}>
      {(wired) => (
        <select
          className="input"
          {...wired}
          value={String(chosen)}
          onChange={(event) => event.target.value !== "-1" && set(steps, words[Number(event.target.value)])}
        >
          {chosen === -1 && <option value="-1">{node === null ? "Choose…" : `${String(node.scalar)} (not allowed)`}</option>}
          {words.map((word, index) => (
            <option key={String(word)} value={String(index)}>
              {wordLabel(word)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function wordLabel(word: unknown): string {
  if (typeof word === "boolean") return word ? "Yes" : "No";
  return String(word);
}

/** What was typed stays until it is a number, so that a point or an empty field can be written on the way. */
function NumberField({ shape, steps, node, label, help, isInRow }: ScalarProps<ShapeOf<"number">>): ReactNode {
  const { set, faults } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (node === null ? "" : String(node.scalar));
  const range = [shape.least === undefined ? "" : `At least ${shape.least}.`, shape.most === undefined ? "" : `At most ${shape.most}.`];
  const hint = [hintOf(help, shape.fallback) ?? "", ...range].filter((part) => part !== "").join(" ");
  return (
    <Labelled
      label={label}
      help={hint === "" ? undefined : hint}
      error={typed !== null && !isNumber(typed) ? "Enter a number." : errorOf(faultsBelow(faults, steps))}
      isInRow={isInRow}
    >
      {(wired) => (
        <input
          className="input"
          {...wired}
          inputMode="decimal"
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value);
            if (isNumber(event.target.value)) set(steps, Number(event.target.value));
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Labelled>
  );
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

function TextField({ shape, steps, node, label, help, isInRow }: ScalarProps<ShapeOf<"text">>): ReactNode {
  const { set, faults, variables } = useForm();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const value = node === null ? "" : String(node.scalar);
  const insert = (name: string) => {
    const at = input.current?.selectionStart ?? value.length;
    const to = input.current?.selectionEnd ?? at;
    set(steps, `${value.slice(0, at)}{${name}}${value.slice(to)}`);
    input.current?.focus();
  };
  const own = { ref: input, spellCheck: false, value };
  return (
    <Labelled label={label} help={hintOf(help, shape.fallback)} error={errorOf(faultsBelow(faults, steps))} isInRow={isInRow}>
      {(wired) => (
        <div className="flex gap-1">
          {shape.isLong ? (
            <textarea className="input min-h-28 font-mono" {...wired} {...own} onChange={(event) => set(steps, event.target.value)} />
          ) : (
            <input className="input min-w-0" {...wired} {...own} onChange={(event) => set(steps, event.target.value)} />
          )}
          {shape.takesVariables && variables.length > 0 && <VariableChoice label={label} names={variables} onInsert={insert} />}
        </div>
      )}
    </Labelled>
  );
}

type VariableProps = { readonly label: string; readonly names: readonly string[]; readonly onInsert: (name: string) => void };

function VariableChoice({ label, names, onInsert }: VariableProps): ReactNode {
  return (
    <select
      aria-label={`Insert a variable into ${label}`}
      title="Insert a variable"
      className="input w-16 shrink-0 text-soft"
      value=""
      onChange={(event) => event.target.value !== "" && onInsert(event.target.value)}
    >
      <option value="">{"{ }"}</option>
      {names.map((name) => (
        <option key={name} value={name}>{`{${name}}`}</option>
      ))}
    </select>
  );
}

function hintOf(help: string, fallback: unknown): string | undefined {
  const isShort = fallback !== undefined && typeof fallback !== "object" && fallback !== "";
  const parts = [help, isShort ? `Default: ${wordLabel(fallback)}.` : ""].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}

function errorOf(messages: readonly string[]): string | undefined {
  return messages.length === 0 ? undefined : messages.join(" ");
}
