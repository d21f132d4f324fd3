import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { EXAMPLES } from "./definition.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { type Provider, useUpstreamChanged } from "./provider.ts";

/** A provider begins as an example that is made to fit. */
export function NewProviderPage(): ReactNode {
  const navigate = useNavigate();
  const changed = useUpstreamChanged();
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
          const { provider } = await post<Provider>("/providers", draft);
          await changed();
          toast(`The provider ${provider} is added.`);
          await navigate({ to: "/providers/$provider", params: { provider } });
        }}
      />
    </>
  );
}
