import { type ComponentType, createContext, useContext } from "react";
import type { JsonNode, Step } from "../editor/json-tree.ts";
import type { Schema } from "../editor/schema.ts";
import { type Edit, moveUp, removeValue, renameMember, setValue } from "./edit-document.ts";
import type { FieldFaults } from "./field-faults.ts";

/** Changes the document at a path. */
export type DocumentEditor = {
  readonly set: (steps: readonly Step[], value: unknown) => void;
  readonly remove: (steps: readonly Step[]) => void;
  readonly rename: (steps: readonly Step[], name: string) => void;
  readonly moveUp: (steps: readonly Step[]) => void;
};

export type FieldProps = {
  readonly schema: Schema;
  readonly steps: readonly Step[];
  /** What is written there; null when nothing is. */
  readonly node: JsonNode | null;
  readonly label: string;
  /** Whether the field is in a row behind its name. */
  readonly isInRow?: boolean;
  /** Absent when the field must stay. */
  readonly onRemove?: (() => void) | undefined;
  readonly onMoveUp?: (() => void) | undefined;
};

/** What every field of the form needs. */
export type FormContext = DocumentEditor & {
  readonly root: Schema;
  readonly faults: FieldFaults;
  /** Placeholders that texts can contain, without their braces. */
  readonly variables: readonly string[];
  /** Shows a field of any kind. Parts get it here, because a field contains parts and a part contains fields. */
  readonly Field: ComponentType<FieldProps>;
};

/** Each change is made to the newest text, which the JSON editor has. */
export function documentEditor(text: () => string, apply: (edit: Edit) => void): DocumentEditor {
  const run = (edit: Edit | null) => {
    if (edit !== null) apply(edit);
  };
  return {
    set: (steps, value) => run(setValue(text(), steps, value)),
    remove: (steps) => run(removeValue(text(), steps)),
    rename: (steps, name) => run(renameMember(text(), steps, name)),
    moveUp: (steps) => run(moveUp(text(), steps)),
  };
}

const Context = createContext<FormContext | null>(null);

export const FormProvider = Context.Provider;

export function useForm(): FormContext {
  const form = useContext(Context);
  if (form === null) throw new Error("A field of the form is outside of it.");
  return form;
}
