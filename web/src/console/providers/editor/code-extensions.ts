import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { codeTheme } from "./code-theme.ts";
import { type Proposal, proposalsAt } from "./complete.ts";
import { readTree, stepsAt } from "./json-tree.ts";
import { helpFor, type Schema, schemasAt } from "./schema.ts";

/** Everything of the editor that does not depend on the page around it. */
export function codeExtensions(schema: Schema, label: string): Extension {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    foldGutter(),
    codeFolding(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    json(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      "aria-label": label,
      tabindex: "0",
      "aria-description": "To leave the editor press Escape, then Tab.",
      spellcheck: "false",
    }),
    autocompletion({ override: [(context) => completionsOf(schema, context)], icons: false }),
    helpOnHover(schema),
    Prec.highest(keymap.of([{ key: "Escape", run: letTabLeave }])),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    codeTheme,
  ];
}

const LEAVE_MILLISECONDS = 2_000;

/** After Escape, Tab leaves the editor instead of indenting, even if Escape also closes a list or ends a selection. */
function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(LEAVE_MILLISECONDS);
  return false;
}

function completionsOf(schema: Schema, context: CompletionContext): CompletionResult | null {
  const found = proposalsAt(schema, context.state.doc.toString(), context.pos);
  if (found === null || (!context.explicit && found.typed === "" && context.matchBefore(/["{]/) === null)) return null;
  return { from: context.pos - found.typed.length, options: found.options.map((option) => completionOf(schema, option)) };
}

function completionOf(schema: Schema, { label, help, isRequired }: Proposal): Completion {
  return {
    label,
    ...(help === "" ? {} : { info: help }),
    ...(isRequired ? { detail: "required", boost: 1 } : {}),
    apply: (view) => {
      // Asked again, because the text may have changed since the list was opened.
      const found = proposalsAt(schema, view.state.doc.toString(), view.state.selection.main.head);
      const option = found?.options.find((one) => one.label === label);
      if (!found || option === undefined) return;
      view.dispatch({
        changes: { from: found.from, to: found.to, insert: option.insert },
        selection: { anchor: found.from + option.cursor },
        scrollIntoView: true,
        userEvent: "input.complete",
      });
    },
  };
}

function helpOnHover(schema: Schema): Extension {
  return hoverTooltip((view, position) => {
    const tree = readTree(view.state.doc.toString());
    const steps = stepsAt(tree, position);
    const help = steps.length === 0 ? null : helpFor(schemasAt(schema, steps, tree));
    if (help === null) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "cm-help";
      dom.textContent = [help.text, ...help.facts].filter((line) => line !== "").join("\n");
      return { dom };
    };
    return { pos: position, above: true, create };
  });
}
