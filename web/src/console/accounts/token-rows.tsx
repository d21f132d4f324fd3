import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../../operator-api.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { get } from "../api.ts";
import { type Account, SERVICE_NAMES, useAccountPost } from "./account.ts";
import { ReasonButton } from "./reason-button.tsx";
import { Row } from "./settings/setting-row.tsx";

type Token = Schemas["ApiToken"];

type TokenRowsProps = {
  readonly account: Account;
  readonly isAllowed: boolean;
  /** Replaces the primary token. */
  readonly replace: ReactNode;
};

/** The account's API tokens, the primary one first. Their values are never shown. */
export function TokenRows({ account, isAllowed, replace }: TokenRowsProps): ReactNode {
  const accountId = account.account_id;
  const query = useQuery({
    queryKey: ["/accounts", accountId, "tokens"],
    queryFn: ({ signal }) => get("/accounts/:account_id/tokens", { account_id: accountId }, signal),
  });
  if (query.error !== null) return <ErrorCard error={query.error} />;
  const tokens = query.data?.items ?? [];
  const primary = tokens.find((token) => token.primary);
  return (
    <>
      <Row
        label="API token"
        value={primary ? <TokenFacts token={primary} /> : <span className="font-normal text-soft">None yet</span>}
        {...(isAllowed ? { action: replace } : {})}
      />
      {tokens
        .filter((token) => !token.primary)
        .map((token) => (
          <Row
            key={token.token_id}
            label="Additional API token"
            value={<TokenFacts token={token} />}
            {...(isAllowed ? { action: <Revoke account={account} token={token} /> } : {})}
          />
        ))}
    </>
  );
}

const SCOPE_NAMES: Readonly<Record<string, string>> = { ...SERVICE_NAMES, complaints: "Complaints", account: "Balance and lists" };

function TokenFacts({ token }: { readonly token: Token }): ReactNode {
  const scopes = token.scopes === null ? "All services" : token.scopes.map((scope) => SCOPE_NAMES[scope] ?? scope).join(", ");
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {token.name}
        <code className="font-mono text-[0.8125rem]">{token.masked}</code>
        {token.primary && <Badge tone="plain">Primary</Badge>}
        {token.read_only && <Badge tone="plain">Read-only</Badge>}
        {token.expired && <Badge tone="bad">Expired</Badge>}
      </span>
      <span className="font-normal text-soft text-xs">
        {scopes} · Last used <Time value={token.last_used_at} none="never" />
        {token.expires_at !== null && (
          <>
            {" "}
            · Expires <Time value={token.expires_at} />
          </>
        )}
      </span>
    </>
  );
}

function Revoke({ account, token }: { readonly account: Account; readonly token: Token }): ReactNode {
  const send = useAccountPost();
  const revoke = async (reason: string | undefined) => {
    await send("/accounts/:account_id/tokens/:token_id/revoke", { account_id: account.account_id, token_id: token.token_id, reason });
    toast(`The token ${token.name} was revoked.`);
  };
  return (
    <ReasonButton
      account={account}
      label="Revoke token"
      title={`Revoke the token ${token.name}?`}
      action="Revoke token"
      danger
      run={revoke}
    >
      Requests with this token will be refused immediately. This cannot be undone.
    </ReasonButton>
  );
}
