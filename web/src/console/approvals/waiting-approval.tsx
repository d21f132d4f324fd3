import type { ReactNode } from "react";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Notice } from "../../ui/page.tsx";
import type { Approval } from "./approval.ts";

type WaitingApprovalProps = { readonly approval: Pick<Approval, "approval_id" | "expires_at">; readonly onClose?: () => void };

/** Shown instead of a result when a call was accepted with 202 and waits for approval. */
export function WaitingApproval({ approval, onClose }: WaitingApprovalProps): ReactNode {
  return (
    <div className="space-y-4">
      <Notice>
        <p role="status">
          <span className="font-medium">Waiting for approval.</span> Nothing has changed yet. A second person must approve it before{" "}
          <Time value={approval.expires_at} />.
        </p>
      </Notice>
      <div className="flex flex-wrap justify-end gap-2">
        {onClose !== undefined && <Button onClick={onClose}>Close</Button>}
        <LinkButton look="primary" to="/approvals/$approvalId" params={{ approvalId: approval.approval_id }}>
          Show approval
        </LinkButton>
      </div>
    </div>
  );
}
