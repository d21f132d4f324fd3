import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/formats/format.ts";
import type { Selection } from "../../ui/lists/selection.ts";
import type { BulkChoice } from "./bulk.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

/** Sends the selected callbacks again. */
export function BulkCallbacks({ selection }: { readonly selection: Selection }): ReactNode {
  const [choice, setChoice] = useState<BulkChoice | null>(null);
  const count = selection.keys.size;
  if (count === 0 && choice === null) return null;
  const close = () => {
    setChoice(null);
    selection.clear();
  };
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken px-3 py-2 sm:px-5"
      role="toolbar"
      aria-label="Bulk actions"
    >
      <span className="mr-2">{countText(count)} selected</span>
      <Button onClick={() => setChoice({ callback_ids: [...selection.keys] })}>Resend</Button>
      <Button look="quiet" onClick={selection.clear}>
        Clear selection
      </Button>
      {choice !== null && <BulkDialog action="resend" choice={choice} onClose={close} />}
    </div>
  );
}
