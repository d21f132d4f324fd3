import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { post } from "../api.ts";
import { isWaitingAction } from "../approvals/approval.ts";
import { useShowApproval } from "../approvals/show-approval.ts";
import { EXAMPLES } from "./definition.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { useProvidersChanged } from "./provider.ts";

/** Adds a provider, starting from an example definition. */
export function NewProviderPage(): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const showApproval = useShowApproval();
  const [text, setText] = useState<string>(EXAMPLES[0].text);
  const examples = EXAMPLES.map((example) => (
    <Button key={example.name} onClick={() => setText(example.text)}>
      {example.name}
    </Button>
  ));
  return (
    <>
      <PageHeader title="New provider" actions={examples}>
        Start with an example and adapt it to the provider's manual. The provider gets orders after you add a route to it.
      </PageHeader>
      <DefinitionEditor
        text={text}
        onText={setText}
        action="Add provider"
        isNew
        onSave={async (draft) => {
          const added = await post("/providers", draft);
          await changed();
          if (isWaitingAction(added)) return await showApproval(added);
          const { provider } = added;
          toast(`The provider ${provider} was added.`);
          await navigate({ to: "/providers/$provider", params: { provider } });
        }}
      />
    </>
  );
}
