import { type ReactNode, useEffect } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { Dialog } from "./dialog.tsx";

const SHORTCUTS = [
  ["Ctrl K", uiText.quickNavigation],
  ["/", uiText.searchThisPage],
  ["?", uiText.showKeyboardShortcuts],
  ["J  K", uiText.nextOrPreviousItemOf],
  ["Esc", uiText.closeTheOpenDialog],
] as const;

type Keys = { readonly onPalette: () => void; readonly onHelp: () => void };

/** Whether a key goes into a text field. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName));
}

function shortcutOf(event: KeyboardEvent): "Ctrl K" | "/" | "?" | null {
  const held = event.ctrlKey || event.metaKey;
  if (held) return event.key.toLowerCase() === "k" ? "Ctrl K" : null;
  const plain = event.key === "/" || event.key === "?" ? event.key : null;
  // The innermost element, also inside a shadow tree such as the JSON editor's.
  return event.altKey || isTyping(event.composedPath()[0] ?? null) ? null : plain;
}

/** Handles Ctrl K (or Cmd K) everywhere, and `/` and `?` outside text fields. */
export function useShortcuts({ onPalette, onHelp }: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = shortcutOf(event);
      if (key === null) return;
      event.preventDefault();
      if (key === "?") onHelp();
      else if (key === "Ctrl K" || !focusSearch()) onPalette();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [onPalette, onHelp]);
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>("[data-search]");
  search?.focus();
  return search !== null;
}

export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={uiText.keyboardShortcuts} onClose={onClose}>
      <dl className="space-y-2">
        {SHORTCUTS.map(([keys, does]) => (
          <div key={keys} className="flex items-center justify-between gap-4">
            <dt>
              <kbd className="rounded border border-line-strong bg-sunken px-2 py-0.5 font-mono text-xs">{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
