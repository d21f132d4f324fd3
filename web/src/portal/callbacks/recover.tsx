import { RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { RecoverDialog } from "../../callbacks/recover.tsx";
import type { Job } from "../../jobs/job.ts";
import { callbacksText } from "../../messages/en/callbacks.ts";
import { Button } from "../../ui/button.tsx";
import { get, post } from "../api.ts";

export function RecoverButton(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setOpen(true)}>
        {callbacksText.recoverAllFailedSince}
      </Button>
      {open && (
        <RecoverDialog
          title={callbacksText.recoverAllFailedCallbacks}
          about={callbacksText.resendsInOrderEveryCallback}
          start={(since) => post("/callbacks/recover", { since })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

export async function latestRecoveries(signal: AbortSignal): Promise<readonly Job[]> {
  const { items } = await get("/jobs", { limit: "20" }, signal);
  return items.filter((job) => job.kind === "recover");
}
