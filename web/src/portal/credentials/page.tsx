import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { credentialsText } from "../../messages/en/credentials.ts";
import { PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { credentialsQuery } from "./credentials.ts";
import { SigningCard } from "./signing-card.tsx";
import { SigningRequired } from "./signing-required.tsx";
import { TokenCard } from "./token-card.tsx";
import { TokensCard } from "./tokens-card.tsx";

export function CredentialsPage(): ReactNode {
  const credentials = useQuery(credentialsQuery);
  return (
    <>
      <PageHeader title={credentialsText.apiCredentials}>{credentialsText.theCredentialsYourServersAuthenticate}</PageHeader>
      <QueryView
        query={credentials}
        skeleton={
          <div className="space-y-4">
            <SkeletonCard lines={6} />
            <SkeletonCard lines={6} />
            <SkeletonCard lines={2} />
          </div>
        }
      >
        {(data) => (
          <div className="space-y-4">
            <TokenCard token={data.token} />
            {data.token !== null && <TokensCard tokens={data.tokens} />}
            <SigningCard secrets={data.signing_secrets} />
            <SigningRequired required={data.signing_required} canRequire={data.signing_secrets.length > 0} />
          </div>
        )}
      </QueryView>
    </>
  );
}
