import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Schemas } from "../../operator-api.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";

type Verdict = Schemas["AuditCheck"];

/** Verifies the hashes of the whole chain, from the first entry to the last. */
export function VerifyChain(): ReactNode {
  const verify = useMutation({ mutationFn: () => post("/audit/verify") });
  return (
    <>
      <Button icon={ShieldCheck} busy={verify.isPending} onClick={() => verify.mutate()}>
        Verify chain
      </Button>
      {(verify.data ?? verify.error) && (
        <Dialog title="Audit chain" onClose={verify.reset}>
          {verify.error ? <ErrorCard error={verify.error} /> : verify.data && <VerdictNotice verdict={verify.data} />}
        </Dialog>
      )}
    </>
  );
}

function VerdictNotice({ verdict }: { readonly verdict: Verdict }): ReactNode {
  if (verdict.ok) {
    return (
      <Notice tone="good">
        <span role="status">
          The chain is intact: {countText(Number(verdict.entries))} entries, all with correct hashes and in the correct order.
        </span>
      </Notice>
    );
  }
  return (
    <div className="space-y-4" role="alert">
      <Notice tone="bad">
        The chain is broken at entry {verdict.broken_at}
        {verdict.why === null ? "" : `: ${verdict.why}`}. Do not change the database. Compare it with a backup.
      </Notice>
      {verdict.broken_at !== null && (
        <LinkButton to="/audit/$seq" params={{ seq: verdict.broken_at }}>
          Show this entry
        </LinkButton>
      )}
    </div>
  );
}
