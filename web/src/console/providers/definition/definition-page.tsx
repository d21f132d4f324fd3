import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { LinkButton } from "../../../ui/button.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { PageHeader } from "../../../ui/page.tsx";
import { QueryView } from "../../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../../ui/skeleton.tsx";
import { get, post } from "../../api.ts";
import { isWaitingAction } from "../../approvals/approval.ts";
import { useShowApproval } from "../../approvals/show-approval.ts";
import { type Definition, useProvidersChanged } from "../provider.ts";
import { written } from "./definition.ts";
import { DefinitionEditor } from "./definition-editor.tsx";

/** Edits the definition of an existing provider. */
export function DefinitionPage(): ReactNode {
  const { provider } = useParams({ from: "/console/providers/$provider/definition" });
  const query = useQuery({
    queryKey: ["/providers", provider, "definition"],
    queryFn: ({ signal }) => get("/providers/:provider/definition", { provider }, signal),
    // Never read again while editing, so that another person's save does not overwrite the text.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const back = (
    <LinkButton to="/providers/$provider" params={{ provider }}>
      Back to {provider}
    </LinkButton>
  );
  return (
    <>
      <PageHeader title={`Definition of ${provider}`} actions={back}>
        A change takes effect with the next order. Orders that were sent before are finished by the version with which they were sent.
      </PageHeader>
      <QueryView query={query} skeleton={<SkeletonCard lines={12} />}>
        {({ definition }) => <Editor provider={provider} definition={definition} />}
      </QueryView>
    </>
  );
}

function Editor({ provider, definition }: { readonly provider: string; readonly definition: Definition }): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const showApproval = useShowApproval();
  const [original] = useState(() => written(definition));
  const [text, setText] = useState(original);
  return (
    <DefinitionEditor
      text={text}
      original={original}
      onText={setText}
      action="Save definition"
      provider={provider}
      onCandidate={async (draft) => {
        const saved = await post("/providers/:provider/candidate", { provider, ...draft });
        await changed();
        if (isWaitingAction(saved)) return await showApproval(saved);
        toast(`The candidate of ${provider} was saved.`);
        await navigate({ to: "/providers/$provider/versions", params: { provider } });
      }}
      onSave={async (draft) => {
        const saved = await post("/providers/:provider", { provider, ...draft });
        await changed();
        if (isWaitingAction(saved)) return await showApproval(saved);
        toast(`The definition of ${provider} was saved.`);
        await navigate({ to: "/providers/$provider", params: { provider } });
      }}
    />
  );
}
