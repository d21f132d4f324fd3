import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { singleSignOnText } from "../../messages/en/single-sign-on.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { Card, Facts, Notice, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { ProviderForm } from "./provider-form.tsx";
import type { SignOnSite, SingleSignOn } from "./settings.ts";

const KEY = ["/single-sign-on"];

/** The identity provider of a site: what to register there, and how its people sign in here. */
export function SignOnPage({ site }: { readonly site: SignOnSite }): ReactNode {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => site.read(signal) });
  return (
    <>
      <PageHeader title={singleSignOnText.singleSignOn}>
        {fill(singleSignOnText.signInThroughYourIdentity, { members: site.members })}
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
      {site.readOnlyBecause !== undefined && <Notice>{site.readOnlyBecause}</Notice>}
      <Card title={singleSignOnText.stepRegisterThisSite} hint={singleSignOnText.createAWebApplicationThere}>
        <Facts
          stacked
          facts={[
            [singleSignOnText.redirectUri, <Code key="redirect" wrap text={data.redirect_uri} />],
            [singleSignOnText.backChannelLogoutUri, <Code key="logout" wrap text={data.back_channel_logout_uri} />],
            ...(site.choosesDomains ? [] : [[singleSignOnText.emailDomains, <Domains key="domains" domains={data.domains} />] as const]),
          ]}
        />
      </Card>
      <Card
        title={singleSignOnText.stepConnectTheProvider}
        hint={singleSignOnText.itsSettingsAreReadFrom}
        {...(provider ? { actions: <State provider={provider} /> } : {})}
      >
        <ProviderForm site={site} data={data} onSaved={keep} />
      </Card>
      {provider !== null && site.readOnlyBecause === undefined && <DangerCard site={site} data={data} onChanged={keep} />}
    </div>
  );
}

function Domains({ domains }: { readonly domains: readonly string[] }): ReactNode {
  if (domains.length > 0) return domains.join(", ");
  return singleSignOnText.noneYetAskYourAccount;
}

function State({ provider }: { readonly provider: NonNullable<SingleSignOn["provider"]> }): ReactNode {
  if (!provider.enabled) return <Badge tone="plain">{singleSignOnText.off}</Badge>;
  return provider.enforced ? <Badge tone="good">{singleSignOnText.enforced}</Badge> : <Badge tone="good">{singleSignOnText.on}</Badge>;
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
    <Card title={singleSignOnText.turnOff}>
      <div className="space-y-4">
        {isEnforced && <Notice>{singleSignOnText.singleSignOnIsEnforced}</Notice>}
        <div className="flex flex-wrap gap-2">
          {isEnforced && stopEnforcing && <Button onClick={() => setAsking("stop")}>{singleSignOnText.stopEnforcing}</Button>}
          <Button look="danger" onClick={() => setAsking("remove")}>
            {singleSignOnText.removeIdentityProvider}
          </Button>
        </div>
      </div>
      {asking === "remove" && (
        <ConfirmDialog
          title={fill(singleSignOnText.removeTitle, { name: data.provider?.name ?? "" })}
          action={singleSignOnText.remove}
          danger
          busy={busy}
          onClose={() => setAsking(null)}
          onConfirm={run(site.remove, singleSignOnText.theIdentityProviderWasRemoved)}
        >
          {singleSignOnText.everybodyWhoSignedInThrough}
        </ConfirmDialog>
      )}
      {asking === "stop" && stopEnforcing && (
        <ConfirmDialog
          title={singleSignOnText.stopEnforcingSingleSignOn}
          action={singleSignOnText.stopEnforcing}
          busy={busy}
          onClose={() => setAsking(null)}
          onConfirm={run(stopEnforcing, singleSignOnText.passwordsAndPasskeysWorkAgain)}
        >
          {singleSignOnText.allMembersCanSignIn}
        </ConfirmDialog>
      )}
    </Card>
  );
}
