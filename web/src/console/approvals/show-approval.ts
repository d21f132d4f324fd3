import { useNavigate } from "@tanstack/react-router";
import { toast } from "../../ui/overlays/toast.tsx";
import type { WaitingAction } from "./approval.ts";

/** Opens the approval that a change is waiting for. */
export function useShowApproval(): (waiting: WaitingAction) => Promise<void> {
  const navigate = useNavigate();
  return async ({ approval }) => {
    toast("Nothing has changed yet. Another person must approve this change.");
    await navigate({ to: "/approvals/$approvalId", params: { approvalId: approval.approval_id } });
  };
}
