import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../../operator-api.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { useAttempt } from "../../../ui/forms/attempt.ts";
import { TextArea } from "../../../ui/forms/field.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Card, Facts } from "../../../ui/page.tsx";
import { QueryView } from "../../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../../ui/skeleton.tsx";
import { get, post } from "../../api.ts";
import { ADMINS, useMay } from "../../session.ts";
import type { Account } from "../account.ts";
import { ReasonButton } from "../reason-button.tsx";

type SingleSignOn = Schemas["SingleSignOn"];

/** A client's single sign-on. Staff assign the email domains, so that no client can claim another's. */
export function SignOnCard({ account, canChange }: { readonly account: Account; readonly canChange: boolean }): ReactNode {
  const { account_id: accountId } = account;
  const key = ["/accounts/:account_id/single-sign-on", accountId];
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get("/accounts/:account_id/single-sign-on", { account_id: accountId }, signal),
  });
  const [isChoosing, setChoosing] = useState(false);
  const isAdmin = useMay(ADMINS);
  const change = canChange && isAdmin ? { actions: <Button onClick={() => setChoosing(true)}>Assign email domains</Button> } : {};
  const keep = (next: SingleSignOn) => queries.setQueryData(key, next);
  return (
    <Card
      title="Single sign-on"
      hint="Owners connect their identity provider in the portal. You assign the email domains it may speak for."
      {...change}
    >
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(data) => (
          <div className="space-y-4">
            <Facts facts={factsOf(data)} />
            {canChange && data.provider?.enforced === true && (
              <ReasonButton
                account={account}
                label="Stop enforcing"
                title={`Let the members of ${account.name} sign in with passwords again?`}
                action="Stop enforcing"
                run={(reason) => post("/accounts/:account_id/single-sign-on/stop-enforcing", { account_id: accountId, reason }).then(keep)}
              >
                Use it while the client's identity provider is down. The owners can enforce single sign-on again in the portal.
              </ReasonButton>
            )}
            {isChoosing && <DomainsDialog account={account} domains={data.domains} onSaved={keep} onClose={() => setChoosing(false)} />}
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function factsOf({ provider, domains }: SingleSignOn): readonly (readonly [string, ReactNode])[] {
  const state = provider === null ? "Not set up" : !provider.enabled ? "Off" : provider.enforced ? "Enforced" : "On";
  return [
    ["State", state],
    ["Email domains", domains.length === 0 ? "None" : domains.join(", ")],
    ...(provider === null ? [] : ([["Issuer", provider.issuer]] as const)),
  ];
}

type DialogProps = {
  readonly account: Account;
  readonly domains: readonly string[];
  readonly onSaved: (next: SingleSignOn) => void;
  readonly onClose: () => void;
};

function DomainsDialog({ account, domains, onSaved, onClose }: DialogProps): ReactNode {
  const [text, setText] = useState(domains.join("\n"));
  const { busy, error, attempt } = useAttempt();
  const save = async () => {
    const entries = text.split(/[\s,;]+/).filter(Boolean);
    onSaved(await post("/accounts/:account_id/single-sign-on/domains", { account_id: account.account_id, domains: entries }));
    toast("The email domains were assigned.");
    onClose();
  };
  return (
    <Dialog title={`Email domains of ${account.name}`} onClose={onClose}>
      <div className="space-y-4">
        <TextArea
          label="Email domains"
          hint="One per line. Verify first that they belong to this client: its identity provider decides who of these addresses signs in."
          className="[&_textarea]:font-mono"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button look="primary" busy={busy} onClick={() => void attempt(save)}>
            Assign
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
