import { useNavigate } from "@tanstack/react-router";
import { toast } from "../../ui/toast.tsx";
import type { Held } from "./approval.ts";

/** Leads to the approval that something waits for now. */
export function useShowHeld(): (held: Held) => Promise<void> {
  const navigate = useNavigate();
  return async ({ approval }) => {
    toast("Nothing has changed yet: somebody else has to approve it.");
    await navigate({ to: "/approvals/$approvalId", params: { approvalId: approval.approval_id } });
  };
}
