import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { toast } from "../../../ui/overlays/toast.tsx";
import { PageHeader } from "../../../ui/page.tsx";
import { post } from "../../api.ts";
import { isWaitingAction } from "../../approvals/approval.ts";
import { useShowApproval } from "../../approvals/show-approval.ts";
import { useProvidersChanged } from "../provider.ts";
import { EXAMPLES } from "./definition.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { StartFrom } from "./start-from.tsx";

/** Adds a provider, starting from an example or from a description that comes with Corprail. */
export function NewProviderPage(): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const showApproval = useShowApproval();
  const [original, setOriginal] = useState<string>(EXAMPLES[0].text);
  const [text, setText] = useState<string>(original);
  // Each start makes a new editor, without the errors and secrets of the text before.
  const [starts, setStarts] = useState(0);
  const start = (next: string) => {
    setOriginal(next);
    setText(next);
    setStarts((before) => before + 1);
  };
  return (
    <>
      <PageHeader title="New provider">
        Adapt a description to the provider's manual. The provider gets orders after you add a route to it.
      </PageHeader>
      <StartFrom hasChanges={text !== original} onStart={start} />
      <DefinitionEditor
        key={starts}
        text={text}
        original={original}
        onText={setText}
        action="Add provider"
        provider={null}
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
