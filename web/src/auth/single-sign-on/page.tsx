import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Card, Facts, Notice, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { ProviderForm } from "./provider-form.tsx";
import type { SignOnSite, SingleSignOn } from "./settings.ts";

const KEY = ["/single-sign-on"];

/** The identity provider of a site: what to register there, and how its people sign in here. */
export function SignOnPage({ site }: { readonly site: SignOnSite }): ReactNode {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => site.read(signal) });
  return (
    <>
      <PageHeader title="Single sign-on">
        {site.members} sign in through your identity provider (OpenID Connect), such as Keycloak, Okta, Entra ID or Google.
      </PageHeader>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(data) => <SignOnSettings site={site} data={data} />}
      </QueryView>
    </>
  );
}

type Props = { readonly site: SignOnSite; readonly data: SingleSignOn };

function SignOnSettings({ site, data }: Props): ReactNode {
  const queries = useQueryClient();
  const keep = (next: SingleSignOn) => queries.setQueryData(KEY, next);
  const { provider } = data;
  return (
    <div className="space-y-6">
      <Card title="1. Register this site at your identity provider" hint="Create a web application there and enter these addresses.">
        <Facts
          facts={[
            ["Redirect URI", <Code key="redirect" text={data.redirect_uri} />],
            ["Back-channel logout URI", <Code key="logout" text={data.back_channel_logout_uri} />],
            ...(site.choosesDomains ? [] : [["Mail domains", <Domains key="domains" domains={data.domains} />] as const]),
          ]}
        />
      </Card>
      <Card
        title="2. Connect the identity provider"
        hint="Its settings are read from the issuer's discovery document when you save."
        {...(provider ? { actions: <State provider={provider} /> } : {})}
      >
        <ProviderForm site={site} data={data} onSaved={keep} />
      </Card>
      {provider !== null && <DangerCard site={site} data={data} onChanged={keep} />}
    </div>
  );
}

function Domains({ domains }: { readonly domains: readonly string[] }): ReactNode {
  if (domains.length > 0) return domains.join(", ");
  return "None yet. Ask your account manager to assign your company's mail domains; until then nobody can sign in this way.";
}

function State({ provider }: { readonly provider: NonNullable<SingleSignOn["provider"]> }): ReactNode {
  if (!provider.enabled) return <Badge tone="plain">Off</Badge>;
  return provider.enforced ? <Badge tone="good">Enforced</Badge> : <Badge tone="good">On</Badge>;
}

function DangerCard({ site, data, onChanged }: Props & { readonly onChanged: (next: SingleSignOn) => void }): ReactNode {
  const [asking, setAsking] = useState<"remove" | "stop" | null>(null);
  const [busy, setBusy] = useState(false);
  const run = (work: () => Promise<SingleSignOn | null>, done: string) => async () => {
    setBusy(true);
    try {
      const changed = await work();
      if (changed !== null) {
        onChanged(changed);
        toast(done);
      }
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
    setAsking(null);
  };
  const { stopEnforcing } = site;
  const isEnforced = data.provider?.enforced === true;
  return (
    <Card title="Turn off">
      <div className="space-y-4">
        {isEnforced && <Notice>Single sign-on is enforced. Only emergency accounts can sign in with a password.</Notice>}
        <div className="flex flex-wrap gap-2">
          {isEnforced && stopEnforcing && <Button onClick={() => setAsking("stop")}>Stop enforcing</Button>}
          <Button look="danger" onClick={() => setAsking("remove")}>
            Remove identity provider
          </Button>
        </div>
      </div>
      {asking === "remove" && (
        <ConfirmDialog
          title={`Remove ${data.provider?.name}?`}
          action="Remove"
          danger
          busy={busy}
          onClose={() => setAsking(null)}
          onConfirm={run(site.remove, "The identity provider was removed.")}
        >
          Everybody who signed in through it is signed out. Members without a password need a new invitation or a password reset.
        </ConfirmDialog>
      )}
      {asking === "stop" && stopEnforcing && (
        <ConfirmDialog
          title="Stop enforcing single sign-on?"
          action="Stop enforcing"
          busy={busy}
          onClose={() => setAsking(null)}
          onConfirm={run(stopEnforcing, "Passwords and passkeys work again.")}
        >
          All members can sign in with their password or passkey again. Use it while the identity provider is down.
        </ConfirmDialog>
      )}
    </Card>
  );
}
