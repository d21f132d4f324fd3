import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import type { JsonNode, Step } from "../editor/json-tree.ts";
import type { Schema } from "../editor/schema.ts";
import { faultsAt } from "./field-faults.ts";
import { initialValue } from "./field-shape.ts";
import { useForm } from "./form-context.ts";
import { memberName } from "./member-names.ts";
import { PartFaults } from "./parts.tsx";

type ListProps = { readonly item: Schema; readonly steps: readonly Step[]; readonly node: JsonNode | null };

/** The items of a list, each of which can be moved and removed. */
export function ListItems({ item, steps, node }: ListProps): ReactNode {
  const form = useForm();
  const items = node?.items ?? [];
  const name = memberName(steps.at(-1));
  const add = () => {
    const value = initialValue(form.root, item);
    if (node === null) form.set(steps, [value]);
    else form.set([...steps, items.length], value);
  };
  return (
    <>
      <PartFaults
        messages={faultsAt(
          form.faults,
          steps,
          items.map((_, index) => index),
        )}
      />
      {items.map((one, index) => (
        <form.Field
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other identity than its position.
          key={index}
          schema={item}
          steps={[...steps, index]}
          node={one}
          label={`${name} ${index + 1}`}
          isInRow
          onRemove={() => form.remove([...steps, index])}
          onMoveUp={index === 0 ? undefined : () => form.moveUp([...steps, index])}
        />
      ))}
      <Button icon={Plus} onClick={add}>
        Add {name.toLowerCase()}
      </Button>
    </>
  );
}
