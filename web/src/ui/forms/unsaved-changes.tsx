import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { ConfirmDialog } from "../overlays/dialog.tsx";

/** Asks before the page is left while something is not saved. The browser asks when the tab is closed or reloaded. */
export function UnsavedChanges({ isUnsaved }: { readonly isUnsaved: () => boolean }): ReactNode {
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: isUnsaved, enableBeforeUnload: isUnsaved, withResolver: true });
  if (status !== "blocked") return null;
  return (
    <ConfirmDialog title={uiText.discardYourChanges} action={uiText.discardChanges} danger onConfirm={proceed} onClose={reset}>
      {uiText.yourChangesAreNotSaved}
    </ConfirmDialog>
  );
}
