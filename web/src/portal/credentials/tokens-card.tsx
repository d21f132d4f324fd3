import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { tokensText } from "../../messages/en/tokens.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { type ApiToken, credentialsQuery } from "./credentials.ts";
import { EditToken } from "./edit-token.tsx";
import { NewToken } from "./new-token.tsx";
import { scopesText } from "./token-scopes.ts";

type Asked = { readonly what: "edit" | "revoke" | "primary"; readonly token: ApiToken };

/** All API tokens of the account, with the means to add, change and revoke them. */
export function TokensCard({ tokens }: { readonly tokens: readonly ApiToken[] }): ReactNode {
  const isAllowed = useMay("builders");
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <Card
      title={tokensText.tokensOfYourSystems}
      hint={tokensText.giveEachSystemAToken}
      {...(isAllowed ? { actions: <Button onClick={() => setCreating(true)}>{tokensText.createToken}</Button> } : {})}
    >
      <ul className="divide-y divide-line">
        {tokens.map((token) => (
          <li key={token.token_id} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
            <TokenFacts token={token} />
            {isAllowed && <Actions token={token} ask={(what) => setAsked({ what, token })} />}
          </li>
        ))}
      </ul>
      {creating && <NewToken onClose={() => setCreating(false)} />}
      {asked?.what === "edit" && <EditToken token={asked.token} onClose={close} />}
      {asked?.what === "revoke" && <RevokeQuestion token={asked.token} onClose={close} />}
      {asked?.what === "primary" && <PrimaryQuestion token={asked.token} onClose={close} />}
    </Card>
  );
}

function TokenFacts({ token }: { readonly token: ApiToken }): ReactNode {
  return (
    <div className="min-w-0 grow basis-64">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        {token.name}
        {token.primary && <Badge tone="plain">{tokensText.primary}</Badge>}
        {token.read_only && <Badge tone="plain">{tokensText.readOnly}</Badge>}
        {token.expired && <Badge tone="bad">{tokensText.expired}</Badge>}
      </p>
      <p className="text-soft text-xs">
        <code className="font-mono">{token.masked}</code> · {scopesText(token.scopes)}
      </p>
      <p className="text-soft text-xs">
        {rich(tokensText.lastUsedAndExpires, {
          used: <Time value={token.last_used_at} none={tokensText.never} />,
          expires: <Time value={token.expires_at} none={tokensText.never} />,
        })}
      </p>
    </div>
  );
}

function Actions({ token, ask }: { readonly token: ApiToken; readonly ask: (what: Asked["what"]) => void }): ReactNode {
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={fill(tokensText.editOf, token)} onClick={() => ask("edit")}>
        {tokensText.edit}
      </Button>
      {!token.primary && token.expires_at === null && (
        <Button aria-label={fill(tokensText.makePrimaryOf, token)} onClick={() => ask("primary")}>
          {tokensText.makePrimary}
        </Button>
      )}
      {!token.primary && (
        <Button look="danger" aria-label={fill(tokensText.revokeOf, token)} onClick={() => ask("revoke")}>
          {tokensText.revoke}
        </Button>
      )}
    </div>
  );
}

type QuestionProps = { readonly token: ApiToken; readonly onClose: () => void };

function RevokeQuestion({ token, onClose }: QuestionProps): ReactNode {
  return (
    <TokenQuestion
      title={fill(tokensText.revokeQuestion, token)}
      action={tokensText.revokeToken}
      danger
      run={() => post("/credentials/tokens/:token_id/revoke", { token_id: token.token_id })}
      done={fill(tokensText.wasRevoked, token)}
      onClose={onClose}
    >
      {tokensText.requestsWillBeRefused}
    </TokenQuestion>
  );
}

function PrimaryQuestion({ token, onClose }: QuestionProps): ReactNode {
  return (
    <TokenQuestion
      title={fill(tokensText.makePrimaryQuestion, token)}
      action={tokensText.makePrimary}
      run={() => post("/credentials/tokens/:token_id/primary", { token_id: token.token_id })}
      done={fill(tokensText.isThePrimaryTokenNow, token)}
      onClose={onClose}
    >
      {tokensText.primaryChangesTheCallbackKey}
    </TokenQuestion>
  );
}

type TokenQuestionProps = {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly run: () => Promise<unknown>;
  readonly done: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

function TokenQuestion({ title, action, danger = false, run, done, onClose, children }: TokenQuestionProps): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const confirm = () =>
    void attempt(async () => {
      await run();
      await queries.invalidateQueries(credentialsQuery);
      toast(done);
      onClose();
    });
  return (
    <ConfirmDialog title={title} action={action} danger={danger} busy={busy} onConfirm={confirm} onClose={onClose}>
      {children}
      {error !== null && <ErrorCard error={error} />}
    </ConfirmDialog>
  );
}
