import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { post } from "../../ui/api.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/format.ts";
import { Notice } from "../../ui/page.tsx";

type Verdict = {
  readonly ok: boolean;
  readonly entries: string | null;
  readonly broken_at: string | null;
  readonly why: string | null;
};

/** Counts the whole chain again, from the first entry to the last. */
export function VerifyChain(): ReactNode {
  const verify = useMutation({ mutationFn: () => post<Verdict>("/audit/verify") });
  return (
    <>
      <Button icon={ShieldCheck} busy={verify.isPending} onClick={() => verify.mutate()}>
        Verify the chain
      </Button>
      {(verify.data ?? verify.error) && (
        <Dialog title="The chain of entries" onClose={verify.reset}>
          {verify.error ? <ErrorCard error={verify.error} /> : verify.data && <Shown verdict={verify.data} />}
        </Dialog>
      )}
    </>
  );
}

function Shown({ verdict }: { readonly verdict: Verdict }): ReactNode {
  if (verdict.ok) {
    return (
      <Notice tone="good">
        <span role="status">
          The chain is whole: {countText(Number(verdict.entries))} entries, each with the right hash and after the right one.
        </span>
      </Notice>
    );
  }
  return (
    <div className="space-y-4" role="alert">
      <Notice tone="bad">
        The chain is broken at entry {verdict.broken_at}
        {verdict.why === null ? "" : `: ${verdict.why}`}. Keep the database as it is and compare it with a backup.
      </Notice>
      {verdict.broken_at !== null && (
        <LinkButton to="/audit/$seq" params={{ seq: verdict.broken_at }}>
          Show that entry
        </LinkButton>
      )}
    </div>
  );
}
