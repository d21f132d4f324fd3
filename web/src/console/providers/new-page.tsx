import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Held, isHeld } from "../approvals/approval.ts";
import { useShowHeld } from "../approvals/show-held.ts";
import { EXAMPLES } from "./definition.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { type Provider, useProvidersChanged } from "./provider.ts";

/** A provider begins as an example that is made to fit. */
export function NewProviderPage(): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const showHeld = useShowHeld();
  const [text, setText] = useState<string>(EXAMPLES[0].text);
  const examples = EXAMPLES.map((example) => (
    <Button key={example.name} onClick={() => setText(example.text)}>
      {example.name}
    </Button>
  ));
  return (
    <>
      <PageHeader title="New provider" actions={examples}>
        Begin with one of the examples and make it fit the provider's manual. It gets orders once a route leads to it.
      </PageHeader>
      <DefinitionEditor
        text={text}
        onText={setText}
        action="Add the provider"
        isNew
        onSave={async (draft) => {
          const made = await post<Provider | Held>("/providers", draft);
          await changed();
          if (isHeld(made)) return await showHeld(made);
          const { provider } = made;
          toast(`The provider ${provider} is added.`);
          await navigate({ to: "/providers/$provider", params: { provider } });
        }}
      />
    </>
  );
}
