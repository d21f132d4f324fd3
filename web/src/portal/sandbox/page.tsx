import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, Notice, PageHeader } from "../../ui/page.tsx";
import { SecretCard } from "../../ui/secret-card.tsx";
import { sessionQuery } from "../../ui/session.ts";
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
      <PageHeader title="Sandbox">
        A test account with test money. It uses the same API, and the last three digits of a number determine the outcome.
      </PageHeader>
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
        <SecretCard title="Sandbox API token" name="API token" secret={token} onStored={() => setToken(null)}>
          This token works only in the sandbox. If you lose it, replace it here.
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
  if (session?.account.sandbox) return <Notice tone="accent">This account is a sandbox. All its money is test money.</Notice>;
  return (
    <Card>
      <EmptyState
        icon={FlaskConical}
        code={firstCallCode("YOUR_SANDBOX_TOKEN", "9876543000")}
        codeTitle="A recharge in the sandbox that succeeds"
        action={
          isAllowed && (
            <Button look="primary" busy={create.isPending} onClick={make}>
              Create sandbox
            </Button>
          )
        }
      >
        Your sandbox's wallet, magic numbers and transactions will appear here. It starts with ₹10,000 of test money and your allowed
        addresses. It has its own callback URLs, so that test results never reach your live receiver.
      </EmptyState>
    </Card>
  );
}

function ByApi({ sandboxAccount }: { readonly sandboxAccount: SandboxAccount }): ReactNode {
  return (
    <Card title="Call it from your program" hint={`The same request as in production, with the token of ${sandboxAccount.account_id}.`}>
      <CodeBlock code={firstCallCode("YOUR_SANDBOX_TOKEN", "9876543000")} title="A recharge that succeeds" />
    </Card>
  );
}
