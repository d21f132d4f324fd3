import { type ReactNode, type RefObject, useMemo } from "react";
import type { Faults, Parsed } from "../definition/definition.ts";
import { operationNames, skeletonOf } from "../editor/add-operation.ts";
import type { CodeEditorHandle } from "../editor/code-editor.tsx";
import { memberOf, readTree } from "../editor/json-tree.ts";
import { operationsIn, outlineOf, type Section } from "../editor/outline.ts";
import { OutlineView } from "../editor/outline-view.tsx";
import type { Schema } from "../editor/schema.ts";
import { DescriptionForm } from "./description-form.tsx";
import { documentEditor } from "./form-context.ts";

type FormProps = {
  readonly schema: Schema;
  readonly text: string;
  readonly parsed: Parsed;
  readonly faults: Faults["places"];
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly section: string;
  readonly onSection: (section: string) => void;
  /** Called with the operation that was chosen in the outline or added. */
  readonly onOperation: (operation: string) => void;
};

/** The sections of a description and the form of the one that is chosen. */
export function SectionForm({ schema, text, parsed, faults, editor, section, onSection, onOperation }: FormProps): ReactNode {
  const tree = useMemo(() => readTree(text), [text]);
  const document = documentEditor(
    () => editor.current?.text() ?? text,
    (edit) => editor.current?.replace(edit),
  );
  if ((memberOf(tree, "connector")?.node?.scalar ?? "description") !== "description")
    return <p className="text-soft">The settings of this connector have no form. Edit them in the JSON.</p>;
  const existing = operationsIn(tree);
  const show = ({ label, at }: Section) => {
    onSection(label);
    if (at !== null) editor.current?.reveal({ from: at, to: at });
    if (existing.includes(label)) onOperation(label);
  };
  const add = (name: string) => {
    const skeleton = skeletonOf(schema, name);
    if (memberOf(tree, "operations") === null) document.set(["operations"], { [name]: skeleton });
    else document.set(["operations", name], skeleton);
    onSection(name);
    onOperation(name);
  };
  return (
    <div className="space-y-5">
      <OutlineView
        outline={outlineOf(
          schema,
          tree,
          faults.map(([path]) => path),
        )}
        current={section}
        canAdd={parsed.ok}
        addable={operationNames(schema).filter((name) => !existing.includes(name))}
        onShow={show}
        onAdd={add}
      />
      <DescriptionForm schema={schema} text={text} parsed={parsed} faults={faults} section={section} document={document} />
    </div>
  );
}
