import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, Notice, PageHeader } from "../../ui/page.tsx";
import { SecretCard } from "../../ui/secret-card.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { firstCallCode } from "../first-call.ts";
import { useMay, useSession } from "../session.ts";
import { type SandboxAccount, sandboxQuery, useSandboxChange } from "./data.ts";
import { Orders } from "./orders.tsx";
import { SandboxCards } from "./sandbox-cards.tsx";
import { Trigger } from "./trigger.tsx";

export function SandboxPage(): ReactNode {
  const { data, error, refetch } = useQuery(sandboxQuery);
  const [token, setToken] = useState<string | null>(null);
  const may = useMay("builders");
  return (
    <>
      <PageHeader title="Sandbox">
        A second account of yours with play money. It speaks the same API, and the last three digits of a number say how it ends.
      </PageHeader>
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <SkeletonCard lines={6} />}
      {data && data.sandboxAccount === null && <NoSandboxAccount may={may} onToken={setToken} />}
      {data && data.sandboxAccount !== null && (
        <div className="space-y-6">
          <SandboxCards sandboxAccount={data.sandboxAccount} may={may} onToken={setToken} />
          <Trigger endings={data.endings} may={may} />
          <Orders orders={data.orders} may={may} />
          <ByApi sandboxAccount={data.sandboxAccount} />
        </div>
      )}
      {token !== null && (
        <SecretCard title="The sandbox's API token" name="API token" secret={token} onStored={() => setToken(null)}>
          Calls with this token reach the sandbox only. Whoever holds it can spend its play money; when it is lost, replace it here.
        </SecretCard>
      )}
      <Outlet />
    </>
  );
}

type TokenProps = { readonly may: boolean; readonly onToken: (token: string) => void };

function NoSandboxAccount({ may, onToken }: TokenProps): ReactNode {
  const session = useSession();
  const create = useSandboxChange<{ api_token: string }>();
  const make = () => create.mutate({ path: "/create" }, { onSuccess: ({ api_token: token }) => onToken(token) });
  if (session?.account.sandbox) return <Notice tone="accent">This account is a sandbox itself: all its money is play money.</Notice>;
  return (
    <Card>
      <EmptyState
        icon={FlaskConical}
        code={firstCallCode("YOUR_SANDBOX_TOKEN", "9876543000")}
        codeTitle="A recharge in the sandbox that succeeds"
        action={
          may && (
            <Button look="primary" busy={create.isPending} onClick={make}>
              Create the sandbox
            </Button>
          )
        }
      >
        Your sandbox will stand here with its wallet, its magic numbers and its transactions; it takes your addresses and callback URLs
        over.
      </EmptyState>
    </Card>
  );
}

function ByApi({ sandboxAccount }: { readonly sandboxAccount: SandboxAccount }): ReactNode {
  return (
    <Card title="From your program" hint={`The same call as live, with the token of ${sandboxAccount.account_id}.`}>
      <CodeBlock code={firstCallCode("YOUR_SANDBOX_TOKEN", "9876543000")} title="A recharge that succeeds" />
    </Card>
  );
}
