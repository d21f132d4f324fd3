import { type ReactNode, type RefObject, useMemo } from "react";
import { Button } from "../../../ui/button.tsx";
import type { Faults, Parsed } from "../definition.ts";
import { insertionOf, operationNames, skeletonOf } from "./add-operation.ts";
import { CodeEditor, type CodeEditorHandle } from "./code-editor.tsx";
import { FaultList, type ShownFault } from "./fault-list.tsx";
import { placeOf, rangeOfPath } from "./fault-place.ts";
import { type JsonNode, memberOf, readTree } from "./json-tree.ts";
import { operationsIn, outlineOf, type Section } from "./outline.ts";
import { OutlineView } from "./outline-view.tsx";
import type { Schema } from "./schema.ts";

type DescriptionTextProps = {
  readonly schema: Schema;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly parsed: Parsed;
  readonly faults: Faults["places"];
  readonly editor: RefObject<CodeEditorHandle | null>;
  /** Called with the operation that was chosen in the outline or added. */
  readonly onOperation: (operation: string) => void;
};

/** The text of a description with its outline above and its errors below. */
export function DescriptionText({ schema, text, onText, parsed, faults, editor, onOperation }: DescriptionTextProps): ReactNode {
  const tree = useMemo(() => readTree(text), [text]);
  const shown = useMemo(() => shownFaults(text, tree, parsed, faults), [text, tree, parsed, faults]);
  const outline = outlineOf(
    tree,
    faults.map(([path]) => path),
  );
  const existing = operationsIn(tree);
  const isDescription = (memberOf(tree, "connector")?.node?.scalar ?? "description") === "description";
  const show = ({ label, at }: Section) => {
    if (at === null) return;
    editor.current?.show({ from: at, to: at });
    if (existing.includes(label)) onOperation(label);
  };
  const add = (name: string) => {
    const change = insertionOf(tree, name, skeletonOf(schema, name));
    if (change === null) return;
    editor.current?.replace(change);
    const at = change.from + change.insert.indexOf(JSON.stringify(name));
    editor.current?.show({ from: at, to: at + name.length + 2 });
    onOperation(name);
  };
  return (
    <div className="space-y-3">
      <OutlineView
        outline={outline}
        canAdd={parsed.ok}
        addable={isDescription ? operationNames(schema).filter((name) => !existing.includes(name)) : []}
        onShow={show}
        onAdd={add}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={!parsed.ok} onClick={() => parsed.ok && editor.current?.setText(JSON.stringify(parsed.definition, null, 2))}>
          Format
        </Button>
        <Button onClick={() => editor.current?.foldAll()}>Fold all</Button>
        <Button onClick={() => editor.current?.unfoldAll()}>Unfold all</Button>
      </div>
      <CodeEditor label="JSON" text={text} onText={onText} schema={schema} faults={shown} handle={editor} />
      <p className="text-soft text-xs">
        Ctrl Space completes, Ctrl F searches, Tab indents. To leave the editor with the keyboard press Escape, then Tab.
      </p>
      <FaultList faults={shown} onShow={(range) => editor.current?.show(range)} />
    </div>
  );
}

function shownFaults(text: string, tree: JsonNode | null, parsed: Parsed, faults: Faults["places"]): readonly ShownFault[] {
  const all = parsed.ok
    ? faults.map(([path, message]) => ({ path, message, ...rangeOfPath(tree, path) }))
    : [{ path: "", message: `This is not valid JSON. ${parsed.why}`, from: parsed.at, to: parsed.at + 1 }];
  return all.map((fault) => ({ ...fault, ...placeOf(text, fault.from) })).sort((a, b) => a.from - b.from);
}
