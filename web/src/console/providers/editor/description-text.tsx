import { type ReactNode, type RefObject, useMemo } from "react";
import { Button } from "../../../ui/button.tsx";
import type { Faults, Parsed } from "../definition/definition.ts";
import { CodeEditor, type CodeEditorHandle } from "./code-editor.tsx";
import { FaultList, type ShownFault } from "./fault-list.tsx";
import { placeOf, type Range, rangeOfPath } from "./fault-place.ts";
import { readTree } from "./json-tree.ts";
import type { Schema } from "./schema.ts";

type DescriptionTextProps = {
  readonly schema: Schema;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly parsed: Parsed;
  readonly faults: Faults["places"];
  readonly editor: RefObject<CodeEditorHandle | null>;
  /** Called with the fault that was chosen in the list. */
  readonly onFault: (path: string) => void;
};

/** The text of a description with its errors below. */
export function DescriptionText({ schema, text, onText, parsed, faults, editor, onFault }: DescriptionTextProps): ReactNode {
  const shown = useMemo(() => shownFaults(text, parsed, faults), [text, parsed, faults]);
  const show = (fault: Range & { readonly path: string }) => {
    onFault(fault.path);
    editor.current?.show(fault);
  };
  return (
    <div className="space-y-3">
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
      <FaultList faults={shown} onShow={show} />
    </div>
  );
}

function shownFaults(text: string, parsed: Parsed, faults: Faults["places"]): readonly ShownFault[] {
  const tree = readTree(text);
  const all = parsed.ok
    ? faults.map(([path, message]) => ({ path, message, ...rangeOfPath(tree, path) }))
    : [{ path: "", message: `This is not valid JSON. ${parsed.why}`, from: parsed.at, to: parsed.at + 1 }];
  return all.map((fault) => ({ ...fault, ...placeOf(text, fault.from) })).sort((a, b) => a.from - b.from);
}
