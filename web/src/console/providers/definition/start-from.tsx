import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Badge } from "../../../ui/formats/badge.tsx";
import { useAttempt } from "../../../ui/forms/attempt.ts";
import { Select } from "../../../ui/forms/field.tsx";
import { ConfirmDialog } from "../../../ui/overlays/dialog.tsx";
import { Card } from "../../../ui/page.tsx";
import { get } from "../../api.ts";
import { shippedDescriptionsQuery } from "../provider.ts";
import { EXAMPLES, written } from "./definition.ts";

type StartFromProps = {
  /** Whether the text has changes that would be lost. */
  readonly hasChanges: boolean;
  readonly onStart: (text: string) => void;
};

/** Chooses what a new definition starts from: an example, or a description that comes with Corprail. */
export function StartFrom({ hasChanges, onStart }: StartFromProps): ReactNode {
  const { data: shipped = [], error } = useQuery(shippedDescriptionsQuery);
  const [chosen, setChosen] = useState<string>(EXAMPLES[0].value);
  const [asking, setAsking] = useState(false);
  const { busy, error: refused, attempt } = useAttempt();
  const example = EXAMPLES.find(({ value }) => value === chosen);
  const description = shipped.find(({ provider }) => provider === chosen);
  const options = [
    ...EXAMPLES,
    ...shipped.map(({ provider, services }) => ({
      value: provider,
      label: services.length === 0 ? provider : `${provider} (${services.join(", ")})`,
    })),
  ];
  const start = () =>
    void attempt(async () => {
      setAsking(false);
      if (example !== undefined) return onStart(example.text);
      // Its schema is a file of the repository, which is not there for a saved provider.
      const { $schema: _, ...definition } = (await get("/provider-descriptions/:provider", { provider: chosen })).definition;
      onStart(written(definition));
    });
  return (
    <Card className="mb-6">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Start from"
          className="min-w-0 flex-1 basis-64"
          options={options}
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
        />
        <Button busy={busy} onClick={() => (hasChanges ? setAsking(true) : start())}>
          Use this description
        </Button>
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-2 text-soft">
        {example?.about}
        {description?.services.map((service) => (
          <Badge key={service}>{service}</Badge>
        ))}
        {description !== undefined && (
          <span>
            {description.services.length === 0 && "It covers no whole service by itself. "}
            Made from the provider's public documentation. Read{" "}
            <code className="font-mono text-[0.8125rem]">{description.documentation}</code> and verify it in the provider's test environment
            before you send money.
          </span>
        )}
      </p>
      {(error ?? refused) !== null && <ErrorCard error={error ?? refused} />}
      {asking && (
        <ConfirmDialog title="Replace your changes?" action="Replace" danger onConfirm={start} onClose={() => setAsking(false)}>
          The text of the definition is replaced. What you changed is lost.
        </ConfirmDialog>
      )}
    </Card>
  );
}
