import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ConfirmDialog } from "./dialog.tsx";

/** Asks before the page is left while something is not saved. The browser asks when the tab is closed or reloaded. */
export function UnsavedChanges({ isUnsaved }: { readonly isUnsaved: () => boolean }): ReactNode {
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: isUnsaved, enableBeforeUnload: isUnsaved, withResolver: true });
  if (status !== "blocked") return null;
  return (
    <ConfirmDialog title="Discard your changes?" action="Discard changes" danger onConfirm={proceed} onClose={reset}>
      Your changes are not saved. They are lost if you leave this page.
    </ConfirmDialog>
  );
}
