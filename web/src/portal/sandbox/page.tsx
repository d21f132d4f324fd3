import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { sandboxText } from "../../messages/en/sandbox.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { CodeBlock } from "../../ui/formats/code-block.tsx";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { Card, Notice, PageHeader } from "../../ui/page.tsx";
import { sessionQuery } from "../../ui/requests/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { firstCallCode } from "../first-call.ts";
import { useMay, useSession } from "../session.ts";
import { type SandboxAccount, sandboxQuery, useSandboxChange } from "./data.ts";
import { Orders } from "./orders.tsx";
import { SandboxCards } from "./sandbox-cards.tsx";
import { Trigger } from "./trigger.tsx";

export function SandboxPage(): ReactNode {
  const { data, error, refetch } = useQuery(sandboxQuery);
  const [token, setToken] = useState<string | null>(null);
  const isAllowed = useMay("builders");
  return (
    <>
      <PageHeader title={sandboxText.sandbox}>{sandboxText.aTestAccountWithTest}</PageHeader>
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <SkeletonCard lines={6} />}
      {data && data.sandbox_account === null && <NoSandboxAccount isAllowed={isAllowed} onToken={setToken} />}
      {data && data.sandbox_account !== null && (
        <div className="space-y-6">
          <SandboxCards sandboxAccount={data.sandbox_account} isAllowed={isAllowed} onToken={setToken} />
          <Trigger endings={data.endings} isAllowed={isAllowed} />
          <Orders orders={data.orders} isAllowed={isAllowed} />
          <ByApi sandboxAccount={data.sandbox_account} />
        </div>
      )}
      {token !== null && (
        <SecretCard title={sandboxText.sandboxApiToken} name={sandboxText.apiToken} secret={token} onStored={() => setToken(null)}>
          {sandboxText.thisTokenWorksOnlyIn}
        </SecretCard>
      )}
      <Outlet />
    </>
  );
}

type TokenProps = { readonly isAllowed: boolean; readonly onToken: (token: string) => void };

function NoSandboxAccount({ isAllowed, onToken }: TokenProps): ReactNode {
  const session = useSession();
  const create = useSandboxChange(() => post("/sandbox/create"));
  const queries = useQueryClient();
  const make = () =>
    create.mutate(undefined, {
      onSuccess: ({ api_token: token }) => {
        onToken(token);
        // The session says whether there is a sandbox that test mode can show.
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
    });
  if (session?.account.sandbox) return <Notice tone="accent">{sandboxText.thisAccountIsASandbox}</Notice>;
  return (
    <Card>
      <EmptyState
        icon={FlaskConical}
        code={firstCallCode("YOUR_SANDBOX_TOKEN", "9876543000")}
        codeTitle={sandboxText.aRechargeInTheSandbox}
        action={
          isAllowed && (
            <Button look="primary" busy={create.isPending} onClick={make}>
              {sandboxText.createSandbox}
            </Button>
          )
        }
      >
        {sandboxText.yourSandboxsWalletMagicNumbers}
      </EmptyState>
    </Card>
  );
}

function ByApi({ sandboxAccount }: { readonly sandboxAccount: SandboxAccount }): ReactNode {
  return (
    <Card title={sandboxText.callItFromYourProgram} hint={fill(sandboxText.theSameRequestAsIn, { accountId: sandboxAccount.account_id })}>
      <CodeBlock code={firstCallCode("YOUR_SANDBOX_TOKEN", "9876543000")} title={sandboxText.aRechargeThatSucceeds} />
    </Card>
  );
}
