import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { get, post } from "../../ui/api.ts";
import { LinkButton } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { isHeld } from "../approvals/approval.ts";
import { useShowHeld } from "../approvals/show-held.ts";
import { written } from "./definition.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { type Definition, useProvidersChanged } from "./provider.ts";

/** How a provider is spoken with. */
export function DefinitionPage(): ReactNode {
  const { provider } = useParams({ from: "/console/providers/$provider/definition" });
  const query = useQuery({
    queryKey: ["/providers", provider, "definition"],
    queryFn: ({ signal }) => get<{ readonly definition: Definition }>(`/providers/${provider}/definition`, {}, signal),
    // What somebody else saves meanwhile must not take away what is being written here.
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
        A change holds from the next order on. Orders it has already are asked about in the new way.
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
  const showHeld = useShowHeld();
  const [text, setText] = useState(() => written(definition));
  return (
    <DefinitionEditor
      text={text}
      onText={setText}
      action="Save the definition"
      isNew={false}
      onSave={async (draft) => {
        const saved = await post<object>(`/providers/${provider}`, draft);
        await changed();
        if (isHeld(saved)) return await showHeld(saved);
        toast(`The definition of ${provider} is saved.`);
        await navigate({ to: "/providers/$provider", params: { provider } });
      }}
    />
  );
}
