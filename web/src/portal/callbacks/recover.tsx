import { RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { RecoverDialog } from "../../callbacks/recover.tsx";
import type { Job } from "../../jobs/job.ts";
import { Button } from "../../ui/button.tsx";
import { get, post } from "../api.ts";

export function RecoverButton(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setOpen(true)}>
        Recover all failed since…
      </Button>
      {open && (
        <RecoverDialog
          title="Recover all failed callbacks"
          about="Resends, in order, every callback created since then that your receiver has not accepted."
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
