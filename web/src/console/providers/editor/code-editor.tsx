import { foldAll, unfoldAll } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { codeExtensions } from "./code-extensions.ts";
import type { Range } from "./fault-place.ts";
import type { Schema } from "./schema.ts";

export type CodeEditorHandle = {
  /** Selects a range, scrolls to it and moves the focus there. */
  readonly show: (range: Range) => void;
  /** Scrolls to a range and leaves the focus where it is. */
  readonly reveal: (range: Range) => void;
  readonly text: () => string | null;
  readonly replace: (change: Range & { readonly insert: string }) => void;
  readonly setText: (text: string) => void;
  readonly foldAll: () => void;
  readonly unfoldAll: () => void;
};

export type CodeFault = Range & { readonly message: string };

type CodeEditorProps = {
  readonly label: string;
  /** The text at the beginning. Later the editor itself has the newest text, and pages change it with `setText`. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly schema: Schema;
  readonly faults: readonly CodeFault[];
  readonly handle: Ref<CodeEditorHandle>;
};

/** A JSON editor with line numbers, folding, completion and help from a schema, and faults at their place. */
export function CodeEditor({ label, text, onText, schema, faults, handle }: CodeEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // The view is created once; these are read when it needs them.
  const latest = useRef({ text, onText });
  latest.current = { text, onText };
  useEffect(() => {
    if (host.current === null) return;
    const editor = createView(host.current, schema, label, latest.current.text, (next) => latest.current.onText(next));
    view.current = editor;
    return () => editor.destroy();
  }, [schema, label]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    const diagnostics = faults.map(
      ({ from, to, message }): Diagnostic => ({ from: Math.min(from, end), to: Math.min(to, end), severity: "error", message }),
    );
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [faults]);
  useImperativeHandle(handle, () => handleOf(view));
  return <div ref={host} />;
}

/**
 * The editor lives in a shadow tree. There its styles are constructed style sheets, which the site's policy allows; in the
 * document they would be a style element, which it forbids.
 */
function createView(host: HTMLElement, schema: Schema, label: string, text: string, onText: (text: string) => void): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const changes = EditorView.updateListener.of((update) => {
    if (update.docChanged) onText(update.state.doc.toString());
  });
  return new EditorView({ doc: text, extensions: [codeExtensions(schema, label), changes], parent: root, root });
}

function handleOf(view: { readonly current: EditorView | null }): CodeEditorHandle {
  const reveal = ({ from, to }: Range) => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    const selection = { anchor: Math.min(from, end), head: Math.min(to, end) };
    editor.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
  };
  return {
    show: (range) => {
      reveal(range);
      view.current?.focus();
    },
    reveal,
    text: () => view.current?.state.doc.toString() ?? null,
    setText: (text) => view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: text } }),
    replace: (change) => view.current?.dispatch({ changes: change, userEvent: "input" }),
    foldAll: () => view.current && foldAll(view.current),
    unfoldAll: () => view.current && unfoldAll(view.current),
  };
}
