import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const BUTTON = { border: "1px solid var(--line-strong)", borderRadius: "0.375rem", background: "var(--surface)", color: "var(--ink)" };

// The site's colours are custom properties, which reach into the editor's shadow tree and follow the theme.
const look = EditorView.theme({
  "&": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "0.375rem",
    minHeight: "20rem",
    maxHeight: "min(70vh, 48rem)",
    fontSize: "0.8125rem",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    lineHeight: "1.6",
    overflow: "auto",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-tint)", outline: "1px solid var(--accent)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line-strong)",
    color: "var(--soft)",
    padding: "0 0.25rem",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "0.375rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxHeight: "14rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "inherit" },
  ".cm-completionInfo, .cm-help": {
    maxWidth: "min(24rem, 80vw)",
    padding: "0.5rem 0.75rem",
    whiteSpace: "pre-line",
    fontSize: "0.8125rem",
  },
  ".cm-diagnostic": { maxWidth: "min(32rem, 85vw)", whiteSpace: "pre-line", padding: "0.4rem 0.75rem" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "3px" },
  ".cm-lint-marker-error": {
    content: "normal",
    width: "0.6rem",
    height: "0.6rem",
    margin: "0.35rem 0.1rem",
    borderRadius: "50%",
    backgroundColor: "var(--bad)",
  },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input": { ...BUTTON, padding: "0.2rem 0.4rem" },
  ".cm-panel button": { ...BUTTON, backgroundImage: "none", padding: "0.2rem 0.5rem" },
  ".cm-searchMatch": { backgroundColor: "var(--wait-tint)", outline: "1px solid var(--wait)" },
});

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--wait)" },
  { tag: [tags.bool, tags.null], color: "var(--back)" },
]);

export const codeTheme = [look, syntaxHighlighting(highlighting)];
